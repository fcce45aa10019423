// From an offset in an object to the part there, as a programmer would write it. Not thread-safe, because libdw is not.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace snarl::symbolize {

// ".lock_a", "[3].hits", ".a+0x4", "". Bases, and parts whose names are reserved for the implementation, are not named:
// the futex word inside a std::mutex `m` is `m`, the second element of a std::array `a` is `a[1]`.
std::string member_path(Dwarf_Die type, uint64_t offset);

// In bytes; 0: unknown.
uint64_t type_size(Dwarf_Die type);

}  // namespace snarl::symbolize
