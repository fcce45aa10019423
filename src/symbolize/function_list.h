// The functions that have code of their own in an ELF file, by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snarl::symbolize {

struct FunctionSymbol {
  uint64_t address = 0;  // as in the file
  std::string symbol;    // as the linker knows it, without what a compiler appends to copies (".constprop.0")
  std::string name;      // demangled
  bool is_copy = false;  // by the compiler, which may have changed its arguments
};

// From .symtab, .dynsym and the .symtab of a separate debug file. Parts of functions (".cold") are left out. Empty if
// the file can't be read.
std::vector<FunctionSymbol> list_functions(const std::string& path, const std::string& debug_root = "/usr/lib/debug");

// Functions that were inlined somewhere, according to the debug info; they may also have code of their own. Addresses
// are 0. A function that no other file can call has no symbol, and its name has no scopes.
std::vector<FunctionSymbol> list_inlined_functions(const std::string& path,
                                                   const std::string& debug_root = "/usr/lib/debug");

// Whether `pattern` means this function: its symbol, its whole name, or its name without return type, parameters,
// template arguments and outer scopes. "queue::push" means "app::queue<int>::push(int)". `fits` compares a pattern with
// a text.
bool is_named(const FunctionSymbol& function, std::string_view pattern,
              bool (*fits)(std::string_view, std::string_view));

}  // namespace snarl::symbolize
