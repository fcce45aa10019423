#include "symbolize/unit_walk.h"

#include <dwarf.h>

#include <algorithm>

#include "symbolize/die.h"
#include "symbolize/entry_reader.h"

namespace snarl::symbolize {
namespace {

constexpr uint32_t kMaxDepth = 1000;  // the deepest in a large -O3 C++ program is below 100

struct Context {
  uint32_t depth = 0;
  uint32_t caller = kNone;  // index into UnitEntries::code
  uint32_t scope = kNone;   // index into UnitEntries::scopes
};

class Walk {
 public:
  explicit Walk(Dwarf_Die unit) : reader_(unit) {}

  UnitEntries run() {
    EntryReader::Entry unit;
    const uint8_t* at = reader_.first();
    if (reader_.read(at, unit) && unit.children) children(at, {});
    return std::move(out_);
  }

 private:
  using Entry = EntryReader::Entry;

  // Returns where they end.
  const uint8_t* children(const uint8_t* at, Context context) {
    if (++context.depth > kMaxDepth) return reader_.end();
    for (Entry child; reader_.read(at, child);) at = visit(child, context);
    return at;
  }

  const uint8_t* visit(const Entry& entry, const Context& context) {
    switch (entry.tag) {
      case DW_TAG_namespace:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return scope(entry, context);
      case DW_TAG_subprogram: return entry.declaration ? reader_.skip(entry) : function(entry, context);
      case DW_TAG_inlined_subroutine: return code(entry, context);
      case DW_TAG_lexical_block: return inside(entry, context);
      case DW_TAG_variable: variable(entry); [[fallthrough]];
      default: return reader_.skip(entry);
    }
  }

  const uint8_t* inside(const Entry& entry, const Context& context) {
    return entry.children ? children(entry.behind, context) : entry.behind;
  }

  const uint8_t* scope(const Entry& entry, Context context) {
    if (!entry.children) return entry.behind;
    const auto index = static_cast<uint32_t>(out_.scopes.size());
    out_.scopes.push_back({reader_.die(entry), nullptr, context.scope});
    context.scope = index;
    const uint8_t* end = children(entry.behind, context);
    out_.scopes[index].end = end;
    return end;
  }

  // A function inside of a function (a lambda, a member of a local class) is not inlined into it.
  const uint8_t* function(const Entry& entry, Context context) {
    context.caller = kNone;
    note_code(entry, context);
    return scope(entry, context);
  }

  const uint8_t* code(const Entry& entry, Context context) {
    note_code(entry, context);
    return inside(entry, context);
  }

  void note_code(const Entry& entry, Context& context) {
    const auto index = static_cast<uint32_t>(out_.code.size());
    const size_t before = out_.ranges.size();
    const Dwarf_Die die = reader_.die(entry);
    if (entry.low > 1 && entry.length != 0 && entry.low + entry.length > entry.low)
      out_.ranges.push_back({entry.low, entry.low + entry.length, context.depth, index});
    else
      append_ranges(die, context.depth, index, out_.ranges);
    if (out_.ranges.size() == before) return;
    out_.code.push_back({die, context.caller});
    context.caller = index;
  }

  void variable(const Entry& entry) {
    if (!entry.placed) return;
    const Dwarf_Die die = reader_.die(entry);
    if (const auto address = die_address(die)) {
      if (*address != 0) out_.variables.push_back({die, *address});
    } else if (const auto offset = die_thread_offset(die)) {
      out_.variables.push_back({die, *offset, true});
    }
  }

  EntryReader reader_;
  UnitEntries out_;
};

}  // namespace

std::optional<Dwarf_Die> UnitEntries::scope_around(const Dwarf_Die& die) const {
  const auto behind = std::lower_bound(scopes.begin(), scopes.end(), die.addr,
                                       [](const ScopeEntry& scope, const void* at) { return scope.die.addr < at; });
  if (behind == scopes.begin()) return std::nullopt;
  auto index = static_cast<uint32_t>(behind - scopes.begin() - 1);
  while (index != kNone && scopes[index].end <= die.addr) index = scopes[index].parent;
  if (index == kNone) return std::nullopt;
  return scopes[index].die;
}

UnitEntries walk_unit(Dwarf_Die unit) { return Walk(unit).run(); }

void append_ranges(Dwarf_Die die, uint32_t depth, uint32_t value, std::vector<Interval>& out) {
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;) {
    if (low > 1 && low < high) out.push_back({low, high, depth, value});  // 0 and 1: what the linker discarded
  }
}

}  // namespace snarl::symbolize
