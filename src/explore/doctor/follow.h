// Finds the program that a command starts and that has the threads: one plain run, of which the first process with two
// threads is the one. It can be started by itself then, as it was started there.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/opened_file.h"
#include "explore/execute/executor.h"
#include "explore/target/setup.h"
#include "os/guard.h"

namespace snarl::explore {

struct Followed {
  std::string path;  // of the program's file
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string folder;
  std::vector<OpenedFile> descriptors;  // files that it was given, but for 1 and 2
  std::vector<std::string> left_out;    // "0 (a pipe)": what can't be opened again
};

// Gives up with an error (exit code 4) if no process has a second thread, or the first that has one is a copy of its
// parent that called no exec.
Expected<Followed> follow(const Setup& setup, os::Guard& guard, const Stop& stop);

}  // namespace snarl::explore
