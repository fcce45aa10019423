// A place in the code. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace snarl::report {

// The less is known of a module the less is filled in.
struct Location {
  std::string function = {};  // short: "transfer", "Account::withdraw"
  std::string file = {};      // for people: relative to the folder that the run started in, when below it
  std::string path = {};      // as the debug info has it, absolute
  int line = 0;               // 0: unknown
  int column = 0;
  int begins = 0;           // of a lambda: its first line; 0: unknown
  std::string module = {};  // base name
  uint64_t offset = 0;      // in the module's file
  bool inlined = false;
  bool system = false;  // of the C or C++ implementation

  bool known() const { return !file.empty() || !function.empty() || !module.empty(); }
};

using Stack = std::vector<Location>;  // innermost first

}  // namespace snarl::report
