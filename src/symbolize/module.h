// One executable or shared library, opened once: its ELF symbols and, from it or from its separate debug file, its
// DWARF units. Everything is read when first needed. What can't be read is treated as absent. Not thread-safe.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symbolize/elf_file.h"
#include "symbolize/interval_table.h"
#include "symbolize/place.h"
#include "symbolize/symbol_table.h"
#include "symbolize/unit.h"

namespace snarl::symbolize {

class Module {
 public:
  Module(std::string path, const std::string& debug_root);

  // False if `expected` (hex; empty: unknown) isn't the build id of a file that could be read.
  bool is_build(std::string_view expected) const;

  // Innermost first; empty if nothing is known of the address.
  std::vector<Frame> frames(uint64_t address);
  std::optional<Variable> variable(uint64_t address);
  std::optional<Variable> thread_variable(uint64_t offset);

 private:
  struct UnitSlot {
    Dwarf_Die skeleton;
    Dwarf_Die tree;
    std::unique_ptr<Unit> unit;
  };
  struct Global {
    uint64_t low;
    uint64_t high;
    Unit* unit;
    const VariableEntry* entry;
  };
  struct DwarfEnd {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };

  void open_debug_info(const std::string& debug_root);
  void list_units();
  Unit& unit(UnitSlot& slot);
  using Globals = std::vector<Global>;  // by low
  void list_globals();
  static const Global* global_at(const Globals& globals, uint64_t address);
  void name_unnamed(std::vector<Frame>& frames, uint64_t address) const;

  std::optional<ElfFile> file_;
  std::optional<ElfFile> debug_file_;
  std::string build_id_;
  SymbolTable symbols_;
  std::unique_ptr<Dwarf, DwarfEnd> dwarf_;  // reads from file_ or debug_file_: ends before them
  std::vector<UnitSlot> units_;
  IntervalTable unit_at_;
  bool listed_globals_ = false;  // only when a variable is asked for
  Globals globals_, thread_locals_;
};

}  // namespace snarl::symbolize
