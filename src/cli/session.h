// What the verbs that explore a program begin with: options read, program and runtime found.
#pragma once

#include "cli/run_options.h"
#include "explore/target/setup.h"

namespace snarl::cli {

struct Session {
  RunOptions options;
  explore::Setup setup;
};

// For those who leave out "--": words that can only be a program and its arguments are taken for that. An error names
// the first one otherwise.
Status take_program(Arguments& arguments, const char* verb);

// What snarl run or snarl classify would reject before anything runs.
Status check_session(const Arguments& arguments);

// Defined with the verb `run`. Errors are the user's mistakes, with their exit codes.
Expected<Session> prepare(const Arguments& arguments);

}  // namespace snarl::cli
