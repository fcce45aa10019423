#include "symbolize/function_list.h"

#include <elfutils/libdw.h>
#include <gelf.h>

#include <optional>

#include "symbolize/die.h"
#include "symbolize/elf_file.h"
#include "symbolize/names.h"

namespace snarl::symbolize {
namespace {

// gcc and clang give copies and parts of a function names such as f.constprop.0, f.isra.0.cold, f.part.0.
std::string_view stem(std::string_view symbol) { return symbol.substr(0, symbol.find('.', 1)); }
bool is_part(std::string_view symbol) {
  const std::string_view rest = symbol.substr(stem(symbol).size());
  return rest.find(".cold") != rest.npos || rest.find(".part") != rest.npos;
}

void add_symbol(const GElf_Sym& symbol, const char* name, std::vector<FunctionSymbol>& to) {
  const int type = GELF_ST_TYPE(symbol.st_info);
  const bool is_function =
      (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0;
  if (!is_function || name == nullptr || name[0] == '\0' || is_part(name)) return;
  std::string own(stem(name));
  std::string demangled = demangle(own.c_str());
  const bool is_copy = own != name;
  to.push_back({symbol.st_value, std::move(own), std::move(demangled), is_copy});
}

void add_symbols(Elf* elf, std::vector<FunctionSymbol>& to) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    const bool has_symbols =
        gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM);
    Elf_Data* data = has_symbols ? elf_getdata(section, nullptr) : nullptr;
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol); ++i)
      add_symbol(symbol, elf_strptr(elf, header.sh_link, symbol.st_name), to);
  }
}

// dwarf_getfuncs calls this for each definition.
int add_inlined(Dwarf_Die* function, void* to) {
  if (!dwarf_func_inline(function)) return DWARF_CB_OK;
  const char* symbol = die_linkage_name(*function);
  const char* name = symbol == nullptr ? dwarf_diename(function) : nullptr;
  auto& list = *static_cast<std::vector<FunctionSymbol>*>(to);
  if (symbol != nullptr) list.push_back({0, symbol, demangle(symbol)});
  if (name != nullptr) list.push_back({0, "", name});
  return DWARF_CB_OK;
}

}  // namespace

std::vector<FunctionSymbol> list_inlined_functions(const std::string& path, const std::string& debug_root) {
  std::vector<FunctionSymbol> result;
  Expected<ElfFile> file = ElfFile::open(path);
  if (!file) return result;
  const std::optional<ElfFile> debug = file->has_debug_info() ? std::nullopt : file->find_debug_file(debug_root);
  Dwarf* const dwarf = dwarf_begin_elf(debug ? debug->elf() : file->elf(), DWARF_C_READ, nullptr);
  Dwarf_CU* unit = nullptr;
  Dwarf_Die tree;
  while (dwarf != nullptr && dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &tree, nullptr) == 0)
    dwarf_getfuncs(&tree, add_inlined, &result, 0);
  dwarf_end(dwarf);
  return result;
}

std::vector<FunctionSymbol> list_functions(const std::string& path, const std::string& debug_root) {
  std::vector<FunctionSymbol> result;
  const Expected<ElfFile> file = ElfFile::open(path);
  if (!file) return result;
  add_symbols(file->elf(), result);
  if (const std::optional<ElfFile> debug = file->find_debug_file(debug_root)) add_symbols(debug->elf(), result);
  return result;
}

bool is_named(const FunctionSymbol& function, std::string_view pattern,
              bool (*fits)(std::string_view, std::string_view)) {
  if (fits(pattern, function.symbol) || fits(pattern, function.name)) return true;
  if (fits(std::string(pattern) + "(*", function.name)) return true;
  const std::string name = short_function_name(function.name);
  for (std::string_view rest = name;;) {
    if (fits(pattern, rest)) return true;
    const size_t scope = rest.find("::");
    if (scope == rest.npos) return false;
    rest.remove_prefix(scope + 2);
  }
}

}  // namespace snarl::symbolize
