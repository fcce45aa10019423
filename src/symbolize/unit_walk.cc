#include "symbolize/unit_walk.h"

#include <algorithm>

#include "symbolize/die.h"

namespace snarl {
namespace {

constexpr uint32_t kMaxDepth = 1000;  // the deepest in a large -O3 C++ program is below 100

struct Context {
  uint32_t depth = 0;
  uint32_t caller = kNone;  // index into UnitEntries::code
  uint32_t scope = kNone;   // index into UnitEntries::scopes
};

class Walk {
 public:
  UnitEntries run(Dwarf_Die unit) {
    furthest_ = unit.addr;
    children(unit, {});
    return std::move(out_);
  }

 private:
  void children(Dwarf_Die parent, Context context) {
    Dwarf_Die child;
    if (++context.depth > kMaxDepth || dwarf_child(&parent, &child) != 0) return;
    do {
      if (child.addr <= furthest_) return;
      furthest_ = child.addr;
      visit(child, context);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  void visit(Dwarf_Die die, Context context) {
    switch (dwarf_tag(&die)) {
      case DW_TAG_namespace:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return scope(die, context);
      case DW_TAG_subprogram: return function(die, context);
      case DW_TAG_inlined_subroutine: return code(die, context);
      case DW_TAG_lexical_block: return children(die, context);
      case DW_TAG_variable: return variable(die);
      default: return;
    }
  }

  void scope(Dwarf_Die die, Context context) {
    if (!dwarf_haschildren(&die)) return;
    const auto index = static_cast<uint32_t>(out_.scopes.size());
    out_.scopes.push_back({die, die.addr, context.scope});
    context.scope = index;
    children(die, context);
    out_.scopes[index].last = furthest_;
  }

  // A function inside of a function (a lambda, a member of a local class) isn't inlined into it.
  void function(Dwarf_Die die, Context context) {
    if (dwarf_hasattr(&die, DW_AT_declaration)) return;
    context.caller = kNone;
    note_code(die, context);
    scope(die, context);
  }

  void code(Dwarf_Die die, Context context) {
    note_code(die, context);
    children(die, context);
  }

  void note_code(Dwarf_Die die, Context& context) {
    const auto index = static_cast<uint32_t>(out_.code.size());
    const size_t before = out_.ranges.size();
    append_ranges(die, context.depth, index, out_.ranges);
    if (out_.ranges.size() == before) return;
    out_.code.push_back({die, context.caller});
    context.caller = index;
  }

  void variable(Dwarf_Die die) {
    if (const auto address = die_address(die)) {
      if (*address != 0) out_.variables.push_back({die, *address});
    } else if (const auto offset = die_thread_offset(die)) {
      out_.variables.push_back({die, *offset, true});
    }
  }

  const void* furthest_ = nullptr;  // every visited entry lies behind all visited before it
  UnitEntries out_;
};

}  // namespace

uint32_t UnitEntries::scope_around(const Dwarf_Die& die) const {
  const auto behind = std::lower_bound(scopes.begin(), scopes.end(), die.addr,
                                       [](const ScopeEntry& scope, const void* at) { return scope.die.addr < at; });
  if (behind == scopes.begin()) return kNone;
  auto index = static_cast<uint32_t>(behind - scopes.begin() - 1);
  while (index != kNone && scopes[index].last < die.addr) index = scopes[index].parent;
  return index;
}

UnitEntries walk_unit(Dwarf_Die unit) { return Walk().run(unit); }

void append_ranges(Dwarf_Die die, uint32_t depth, uint32_t value, std::vector<Interval>& out) {
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;) {
    if (low > 1 && low < high) out.push_back({low, high, depth, value});  // 0 and 1: what the linker discarded
  }
}

}  // namespace snarl
