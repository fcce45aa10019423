// A place in source: what an address means to a reader.
//
// Plain data, built by the Symbolizer and read by the reports. A place always has at least one frame. The less is known
// of a module, the less a frame says: source line, then ELF symbol + offset, then module + offset.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snarl::symbolize {

struct Frame {
  std::string function;  // demangled, with parameters where the debug info has them
  std::string file;      // as recorded, joined with the compilation directory; empty: unknown
  int line = 0;          // 0: unknown
  int column = 0;        // 0: unknown
  bool inlined = false;  // its code was inlined into the next frame
  bool system = false;   // part of the C or C++ implementation, or of snarl's own runtime
  int begins = 0;        // of a lambda: the line where it begins; 0: unknown
};

struct Place {
  std::string module;
  uint64_t offset = 0;
  std::vector<Frame> frames;  // innermost (inlined) first; never empty
  bool stale = false;         // the file on disk is another build than the one that ran
};

struct Variable {
  std::string name;  // "g_balance", "app::stats.c[1]", "table+0x8"
  std::string file;  // where it is declared; empty: unknown
  int line = 0;
};

// The frame that a report calls "the" location: the first one outside of system code that has a source line; without
// one, the first outside of system code; nullptr if all is system code. `stack` has the innermost place first. The
// result points into `stack`.
const Frame* first_user_frame(std::span<const Place> stack);

}  // namespace snarl::symbolize
