// One walk over the entries of a compilation unit that notes what lookups need: the code (functions and inlined calls),
// the variables at fixed addresses, and the scopes around them. The walk only moves forward through the unit, so
// damaged bytes can't make it loop or recurse without end.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "symbolize/interval_table.h"

namespace snarl::symbolize {

constexpr uint32_t kNone = UINT32_MAX;

struct CodeEntry {
  Dwarf_Die die;
  uint32_t caller = kNone;  // index of the entry that this one is inlined into
};

struct VariableEntry {
  Dwarf_Die die;
  uint64_t address = 0;
  bool thread_local_ = false;  // address: within the module's block of each thread
};

// A namespace, type or function; it holds the entries in (die.addr, end).
struct ScopeEntry {
  Dwarf_Die die;
  const void* end = nullptr;
  uint32_t parent = kNone;
};

struct UnitEntries {
  std::vector<CodeEntry> code;
  std::vector<Interval> ranges;  // of the code; value: index into `code`
  std::vector<VariableEntry> variables;
  std::vector<ScopeEntry> scopes;  // by die.addr

  // The innermost scope that holds `die`; none if there is no such scope.
  std::optional<Dwarf_Die> scope_around(const Dwarf_Die& die) const;
};

UnitEntries walk_unit(Dwarf_Die unit);

// The address ranges of an entry, with the given depth and value, appended to `out`.
void append_ranges(Dwarf_Die die, uint32_t depth, uint32_t value, std::vector<Interval>& out);

}  // namespace snarl::symbolize
