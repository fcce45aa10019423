#include "symbolize/module.h"

#include <algorithm>
#include <utility>

#include "symbolize/die.h"
#include "symbolize/member_path.h"
#include "symbolize/names.h"

namespace snarl::symbolize {

Module::Module(std::string path, const std::string& debug_root) {
  Expected<ElfFile> file = ElfFile::open(path);
  if (!file) return;
  file_ = std::move(*file);
  build_id_ = file_->build_id();
  open_debug_info(debug_root);
  const bool use_debug_file = debug_file_ && !file_->has_section(".symtab");
  symbols_ = SymbolTable((use_debug_file ? *debug_file_ : *file_).elf());
  if (symbols_.empty()) symbols_ = SymbolTable(file_->elf());
}

bool Module::is_build(std::string_view expected) const { return expected.empty() || !file_ || build_id_ == expected; }

void Module::open_debug_info(const std::string& debug_root) {
  const bool inside = file_->has_debug_info();
  if (!inside) debug_file_ = file_->find_debug_file(debug_root);
  if (!inside && !debug_file_) return;
  dwarf_.reset(dwarf_begin_elf((inside ? *file_ : *debug_file_).elf(), DWARF_C_READ, nullptr));
  if (dwarf_) list_units();
}

// The ranges come from the units themselves: clang writes no .debug_aranges.
void Module::list_units() {
  std::vector<Interval> ranges;
  Dwarf_CU* cu = nullptr;
  Dwarf_Half version = 0;
  uint8_t type = 0;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf_.get(), cu, &cu, &version, &type, &die, &split) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    const bool is_split = type == DW_UT_skeleton && split.addr != nullptr;
    append_ranges(die, 0, static_cast<uint32_t>(units_.size()), ranges);
    units_.push_back({die, is_split ? split : die, nullptr});
  }
  unit_at_ = IntervalTable(std::move(ranges));
}

Unit& Module::unit(UnitSlot& slot) {
  if (!slot.unit) slot.unit = std::make_unique<Unit>(slot.skeleton, slot.tree);
  return *slot.unit;
}

std::vector<Frame> Module::frames(uint64_t address) {
  std::vector<Frame> frames;
  if (const auto index = unit_at_.find(address)) frames = unit(units_[*index]).frames(address);
  name_unnamed(frames, address);
  return frames;
}

// If DWARF knows no function, the ELF symbol is the name.
void Module::name_unnamed(std::vector<Frame>& frames, uint64_t address) const {
  if (!frames.empty() && !frames.back().function.empty()) return;
  const auto symbol = symbols_.function(address);
  if (!symbol) return frames.clear();
  if (frames.empty()) frames.emplace_back().system = is_system_function(short_function_name(*symbol));
  frames.back().function = *symbol;
}

std::optional<Variable> Module::variable(uint64_t address) {
  list_globals();
  if (const Global* global = global_at(globals_, address))
    return global->unit->describe(*global->entry, address - global->low);
  if (auto symbol = symbols_.object(address)) return Variable{without_anonymous(*symbol), {}, 0};
  return std::nullopt;
}

std::optional<Variable> Module::thread_variable(uint64_t offset) {
  list_globals();
  if (const Global* global = global_at(thread_locals_, offset))
    return global->unit->describe(*global->entry, offset - global->low);
  if (auto symbol = symbols_.thread_local_object(offset)) return Variable{without_anonymous(*symbol), {}, 0};
  return std::nullopt;
}

void Module::list_globals() {
  if (std::exchange(listed_globals_, true)) return;
  for (UnitSlot& slot : units_) {
    Unit& indexed = unit(slot);
    for (const VariableEntry& entry : indexed.variables()) {
      const auto type = die_reference(entry.die, DW_AT_type);
      const uint64_t size = std::max<uint64_t>(type ? type_size(*type) : 0, 1);
      (entry.thread_local_ ? thread_locals_ : globals_)
          .push_back({entry.address, entry.address + size, &indexed, &entry});
    }
  }
  for (Globals* list : {&globals_, &thread_locals_})
    std::stable_sort(list->begin(), list->end(), [](const Global& a, const Global& b) { return a.low < b.low; });
}

const Module::Global* Module::global_at(const Globals& globals, uint64_t address) {
  const auto behind = std::upper_bound(globals.begin(), globals.end(), address,
                                       [](uint64_t a, const Global& global) { return a < global.low; });
  if (behind == globals.begin() || std::prev(behind)->high <= address) return nullptr;
  return &*std::prev(behind);
}

}  // namespace snarl::symbolize
