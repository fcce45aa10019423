// The symbols of an ELF file, by address: the names that remain without debug info. Immutable after construction; the
// names live as long as the file.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snarl::symbolize {

class SymbolTable {
 public:
  SymbolTable() = default;
  // Takes .symtab, or .dynsym where that is stripped.
  explicit SymbolTable(Elf* elf);

  bool empty() const { return functions_.empty() && objects_.empty(); }

  // "name+0x1f", demangled; without "+0x0".
  std::optional<std::string> function(uint64_t address) const { return find(functions_, address); }
  std::optional<std::string> object(uint64_t address) const { return find(objects_, address); }
  // `offset`: within a thread's block.
  std::optional<std::string> thread_local_object(uint64_t offset) const { return find(thread_locals_, offset); }

 private:
  struct Symbol {
    uint64_t low;
    uint64_t high;  // low + size; for a size of 0 first the end of its section, then at most the next symbol
    bool sized;
    unsigned rank;  // which of several names for one address to show: lower is better
    const char* name;
  };
  using Symbols = std::vector<Symbol>;

  void read(Elf* elf, Elf_Scn* section);
  Symbols* list_for(unsigned char type);
  static void arrange(Symbols& symbols);
  static std::optional<std::string> find(const Symbols& symbols, uint64_t address);

  Symbols functions_;  // by low, one per address
  Symbols objects_;
  Symbols thread_locals_;
};

}  // namespace snarl::symbolize
