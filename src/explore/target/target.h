// The program to test, looked at before it is started: can we control it at all?
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "schedule/start.h"

namespace snarl::explore {

struct Target {
  std::string path;                  // what is executed: the program, or the interpreter of a script
  std::vector<std::string> argv;     // as the process gets it
  std::vector<std::string> command;  // what the user wrote
  std::string program;               // what the user named, as an absolute path
  std::string build_id;              // of `path`, lower-case hex; empty: it has none
  std::vector<std::string> needed;   // its DT_NEEDED
  bool has_asan = false;             // AddressSanitizer, as a library or linked into it
  bool has_hooks = false;            // built by `snarl cc` or `snarl c++`, or by gcc or clang for TSan's library
  bool script = false;               // `program` is one, and `path` its interpreter
  Start start;
};

// Where execvp would find it; empty if nowhere.
std::string find_program(const std::string& name, const std::string& search_path);

// Finds `command[0]` (in `search_path` if it has no slash, as execvp does) and checks that it
// is a dynamically linked x86-64 program of glibc, or a script whose interpreter is one.
// Errors: 127 not found, 126 not executable, 4 can't be controlled; each a sentence and a hint.
Expected<Target> find_target(const std::vector<std::string>& command, const std::string& search_path);

}  // namespace snarl::explore
