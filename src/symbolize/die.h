// Small questions to DWARF entries (DIEs), answered without trusting the file: a missing or damaged attribute is
// nullptr, nullopt or 0. Not thread-safe, because libdw is not.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

namespace snarl::symbolize {

// Attributes of the entry itself or of the declaration it completes.
const char* die_string(Dwarf_Die die, unsigned attribute);
std::optional<uint64_t> die_number(Dwarf_Die die, unsigned attribute);
std::optional<Dwarf_Die> die_reference(Dwarf_Die die, unsigned attribute);

// The name that the linker knows; nullptr for C and for most names with internal linkage.
const char* die_linkage_name(Dwarf_Die die);

// The entry where the source declares the thing: behind DW_AT_abstract_origin and DW_AT_specification.
Dwarf_Die die_declaration(Dwarf_Die die);

// The fixed address of a variable. None for automatic and thread-local ones.
std::optional<uint64_t> die_address(Dwarf_Die die);

// Where a thread-local variable lies in its module's block; nothing for other variables.
std::optional<uint64_t> die_thread_offset(Dwarf_Die die);

}  // namespace snarl::symbolize
