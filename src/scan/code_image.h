// A program file as the scanner sees it: what is loaded, and what is known of its code. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snarl::scan {

struct Segment {
  uint64_t begin = 0;
  std::string_view bytes;  // what the file has of it
  bool executable = false;
  bool writable = false;

  uint64_t end() const { return begin + bytes.size(); }
  bool contains(uint64_t address) const { return address >= begin && address < end(); }
};

struct Function {
  uint64_t begin = 0, end = 0;
  bool sure = true;      // all ways into the middle of it are known
  uint64_t claimed = 0;  // its end as the file says; greater than `end` if another function begins inside
};

struct CodeImage {
  std::vector<Segment> segments;
  std::vector<Function> functions;  // from unwind tables and symbols, by begin; bytes outside of them may be data
  std::vector<uint64_t> landings;   // landing pads of exceptions: code that no visible instruction leads to
  std::vector<uint64_t> pointers;   // code addresses in data: possible jump targets
  std::vector<Function> hooks;  // our own code (src/instrument): its atomic instructions are the program's, and told of
  std::vector<Function> start_code;  // that linker and compiler add to each file
  std::vector<Function> constants;   // data that nobody writes once the file is loaded
  uint64_t entry = 0;
  bool pie = true;       // false: constants in code may be addresses
  std::string build_id;  // raw bytes

  // The rest of its segment from that address on; empty if there is none.
  std::string_view at(uint64_t address) const;
  std::string_view code_at(uint64_t address) const { return is_code(address) ? at(address) : std::string_view(); }
  bool is_code(uint64_t address) const;
  bool is_hook(uint64_t address) const;
  // The function that contains it, or null.
  const Function* function_of(uint64_t address) const;
};

// From the bytes of an ELF file, which are not trusted: a damaged part is treated as absent.
CodeImage read_code(std::string_view file);

}  // namespace snarl::scan
