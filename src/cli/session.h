// What the verbs that explore a program begin with: options read, program and runtime found.
#pragma once

#include "cli/run_options.h"
#include "explore/setup.h"

namespace snarl {

struct Session {
  RunOptions options;
  Setup setup;
};

// Defined with the verb `run`. Errors are the user's mistakes, with their exit codes.
Expected<Session> prepare(const Arguments& arguments);

}  // namespace snarl
