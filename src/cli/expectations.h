// What the user expects of every run: --expect-output, --expect-same-output, --expect-exit and --fail-on.
#pragma once

#include "cli/run_options.h"
#include "cli/session.h"
#include "os/guard.h"

namespace snarl::cli {

// RunOptions::expectations and same_output.
Status read_expectations(const Arguments& arguments, RunOptions& options);

// For --expect-same-output: runs the program without us, and makes what it wrote the expected output. That takes from
// the time that the exploration has.
Status learn_output(Session& session, os::Guard& guard);

// The launcher's exit code for a program that ended so by itself: 0 if that is the expected one.
int judged_exit_code(const RunOptions& options, int exit_code);

}  // namespace snarl::cli
