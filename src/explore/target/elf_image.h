// What we must know of a program file before starting it. Own code on <elf.h>: every
// offset is checked against the file's size, as the file may be anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snarl::explore {

struct ElfImage {
  enum class Class { kNotElf, k32, k64, kBroken };

  Class elf_class = Class::kNotElf;
  uint16_t machine = 0;     // EM_*
  uint16_t type = 0;        // ET_*
  std::string interpreter;  // PT_INTERP; empty: static, or a library
  std::string build_id;     // lower-case hex
  std::vector<std::string> needed;
  bool cut_off = false;                       // what is to be loaded is not all there
  bool go = false;                            // built by the Go toolchain
  bool hooks = false;                         // linked with our hooks (src/instrument/attach.cc)
  bool symbols = false;                       // has a symbol table
  bool debug_info = false;                    // has DWARF in the file itself
  std::vector<std::string> imports, exports;  // its dynamic symbols; none if the section headers are gone
  std::vector<std::string_view> code;         // what is executable, in `bytes`
};

// `bytes` is the whole file.
ElfImage parse_elf(std::string_view bytes);

}  // namespace snarl::explore
