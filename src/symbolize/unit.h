// One compilation unit: from an address in it to frames, and its variables.
//
// The constructor builds the index, so make one only when an address falls into the unit. Lookups fill caches of names
// and call sites: not thread-safe.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolize/interval_table.h"
#include "symbolize/line_table.h"
#include "symbolize/place.h"
#include "symbolize/unit_walk.h"

namespace snarl::symbolize {

class Unit {
 public:
  // `tree` is where the entries are: with split DWARF the unit in the .dwo file.
  Unit(Dwarf_Die skeleton, Dwarf_Die tree);

  // Innermost first. Empty if nothing is known; one frame without a function
  // name where only the line table knows the address (assembler).
  std::vector<Frame> frames(uint64_t address);

  const std::vector<VariableEntry>& variables() const { return entries_.variables; }
  Variable describe(const VariableEntry& variable, uint64_t offset);

 private:
  const std::string& function_name(uint32_t code);
  const SourceLocation& call_site(uint32_t code);
  SourceLocation declared_at(Dwarf_Die die);
  int begin_of_lambda(Dwarf_Die die);
  SourceLocation location(Dwarf_Die die, unsigned file, unsigned line, unsigned column);
  std::string qualified_name(Dwarf_Die die, int depth) const;
  std::string scope_prefix(std::optional<Dwarf_Die> scope, int depth) const;

  UnitEntries entries_;
  IntervalTable code_at_;
  LineTable lines_;
  std::unordered_map<const void*, std::string> names_;     // by the function's declaration
  std::vector<const std::string*> function_names_;         // by code index; nullptr: not asked for yet
  std::vector<std::optional<SourceLocation>> call_sites_;  // likewise
};

}  // namespace snarl::symbolize
