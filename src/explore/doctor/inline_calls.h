// System calls that code makes by itself, without libc: nobody can intercept those.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace snarl::explore {

struct InlineCall {
  uint64_t offset = 0;             // of the instruction, in `code`
  std::optional<uint64_t> number;  // of the call, where it is loaded just before
  bool tested = false;             // the result is compared just after
};

// The `syscall` instructions of x86-64 code. No disassembler: the two bytes may be part of another
// instruction, so they count only if a call's number is loaded before them or the result is
// tested after them, and only in code that has at least one with both: a megabyte of other code
// has a dozen such pairs of bytes by chance, and a few with one of the two signs. Pure.
std::vector<InlineCall> find_inline_calls(std::string_view code);

}  // namespace snarl::explore
