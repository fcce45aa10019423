#include "symbolize/symbol_table.h"

#include <gelf.h>

#include <algorithm>
#include <tuple>

#include "symbolize/names.h"
#include "symbolize/text.h"

namespace snarl::symbolize {
namespace {

Elf_Scn* section_of_type(Elf* elf, GElf_Word type) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_type == type) return section;
  }
  return nullptr;
}

uint64_t section_end(Elf* elf, const GElf_Sym& symbol) {
  GElf_Shdr header;
  Elf_Scn* section = elf_getscn(elf, symbol.st_shndx);
  if (!section || !gelf_getshdr(section, &header)) return symbol.st_value + 1;
  return header.sh_addr + header.sh_size;
}

bool is_function(unsigned char type) { return type == STT_FUNC || type == STT_GNU_IFUNC; }

// Of write, __write and __libc_write, shows the one that people know.
unsigned name_rank(const GElf_Sym& symbol, const char* name) {
  const bool mangled = name[0] == '_' && name[1] == 'Z';
  const bool reserved = name[0] == '_' && !mangled;
  return (reserved ? 4U : 0U) + (GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? 2U : 0U);
}

}  // namespace

SymbolTable::SymbolTable(Elf* elf) {
  Elf_Scn* section = section_of_type(elf, SHT_SYMTAB);
  if (!section) section = section_of_type(elf, SHT_DYNSYM);
  if (section) read(elf, section);
  arrange(functions_);
  arrange(objects_);
  arrange(thread_locals_);
}

SymbolTable::Symbols* SymbolTable::list_for(unsigned char type) {
  if (is_function(type)) return &functions_;
  if (type == STT_TLS) return &thread_locals_;
  return type == STT_OBJECT ? &objects_ : nullptr;
}

void SymbolTable::read(Elf* elf, Elf_Scn* section) {
  GElf_Shdr header;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || !gelf_getshdr(section, &header)) return;
  GElf_Sym symbol;
  for (int i = 0; gelf_getsym(data, i, &symbol); ++i) {
    const unsigned char type = GELF_ST_TYPE(symbol.st_info);
    Symbols* list = list_for(type);
    if (symbol.st_shndx == SHN_UNDEF || list == nullptr || (symbol.st_value == 0 && type != STT_TLS)) continue;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (!name || !*name) continue;
    const bool sized = symbol.st_size != 0;
    const uint64_t end = sized ? symbol.st_value + symbol.st_size : section_end(elf, symbol);
    list->push_back({symbol.st_value, end, sized, name_rank(symbol, name), name});
  }
}

void SymbolTable::arrange(Symbols& symbols) {
  std::stable_sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    return std::tie(a.low, b.sized, a.rank) < std::tie(b.low, a.sized, b.rank);
  });
  const auto same_address = [](const Symbol& a, const Symbol& b) { return a.low == b.low; };
  symbols.erase(std::unique(symbols.begin(), symbols.end(), same_address), symbols.end());
  for (size_t i = 0; i + 1 < symbols.size(); ++i) {
    if (!symbols[i].sized) symbols[i].high = std::min(symbols[i].high, symbols[i + 1].low);
  }
}

std::optional<std::string> SymbolTable::find(const Symbols& symbols, uint64_t address) {
  const auto behind = std::upper_bound(symbols.begin(), symbols.end(), address,
                                       [](uint64_t a, const Symbol& symbol) { return a < symbol.low; });
  if (behind == symbols.begin()) return std::nullopt;
  const Symbol& symbol = *std::prev(behind);
  if (address >= symbol.high) return std::nullopt;
  return with_offset(demangle(symbol.name), address - symbol.low);
}

}  // namespace snarl::symbolize
