#include "symbolize/unit.h"

#include <string_view>

#include "symbolize/die.h"
#include "symbolize/member_path.h"
#include "symbolize/names.h"

namespace snarl::symbolize {
namespace {

constexpr size_t kUsualFrames = 8;  // in optimised C++ there are 4 on average
constexpr int kMaxScopes = 32;      // a name is never that deep; a damaged file may refer in rings

Frame make_frame(const SourceLocation& where) {
  Frame frame;
  frame.line = where.line;
  frame.column = where.column;
  if (where.file) {
    frame.file = where.file->path;
    frame.system = where.file->system;
  }
  return frame;
}

std::string own_name(Dwarf_Die die) {
  const char* name = die_string(die, DW_AT_name);
  if (!name) return dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed}";
  return name;
}

// A lambda is the operator() of a type without a name.
std::string scoped(std::string prefix, const std::string& name) {
  constexpr std::string_view kClosure = "{unnamed}::";
  if (name == "operator()" && prefix.ends_with(kClosure)) {
    prefix.replace(prefix.size() - kClosure.size(), kClosure.size(), "{lambda()}::");
  }
  return prefix + name;
}

// As gcc's and clang's debug information name it.
bool is_lambda(const std::string& function) {
  return function.find("{lambda") != function.npos || function.find("::$_") != function.npos;
}

int to_int(std::optional<uint64_t> value) { return value && *value < INT32_MAX ? static_cast<int>(*value) : 0; }

}  // namespace

Unit::Unit(Dwarf_Die skeleton, Dwarf_Die tree)
    : entries_(walk_unit(tree)),
      code_at_(std::move(entries_.ranges)),
      lines_(skeleton, tree),
      function_names_(entries_.code.size()),
      call_sites_(entries_.code.size()) {}

std::vector<Frame> Unit::frames(uint64_t address) {
  std::vector<Frame> frames;
  uint32_t code = code_at_.find(address).value_or(kNone);
  if (code != kNone) frames.reserve(kUsualFrames);
  SourceLocation where = lines_.find(address, code_at_.same_since(address));
  if (code == kNone && where.line != 0) frames.push_back(make_frame(where));
  if (code != kNone && where.line == 0) where = declared_at(entries_.code[code].die);
  for (; code != kNone; code = entries_.code[code].caller) {
    Frame& frame = frames.emplace_back(make_frame(where));
    frame.function = function_name(code);
    if (is_lambda(frame.function)) frame.begins = begin_of_lambda(entries_.code[code].die);
    frame.inlined = entries_.code[code].caller != kNone;
    if (frame.inlined) where = call_site(code);
  }
  return frames;
}

const std::string& Unit::function_name(uint32_t code) {
  const std::string*& name = function_names_[code];
  if (!name) {
    const Dwarf_Die die = entries_.code[code].die;
    const auto [at, added] = names_.try_emplace(die_declaration(die).addr);
    if (added) at->second = qualified_name(die, 0);
    name = &at->second;
  }
  return *name;
}

const SourceLocation& Unit::call_site(uint32_t code) {
  std::optional<SourceLocation>& site = call_sites_[code];
  if (!site) site = location(entries_.code[code].die, DW_AT_call_file, DW_AT_call_line, DW_AT_call_column);
  return *site;
}

// Unknown for a declaration in another unit (with LTO), whose files have other numbers.
SourceLocation Unit::declared_at(Dwarf_Die die) {
  if (die_declaration(die).cu != die.cu) return {};
  return location(die, DW_AT_decl_file, DW_AT_decl_line, DW_AT_decl_column);
}

// gcc says it of the type that the lambda has, clang of its function.
int Unit::begin_of_lambda(Dwarf_Die die) {
  if (const int line = declared_at(die).line; line != 0) return line;
  const std::optional<Dwarf_Die> type = entries_.scope_around(die_declaration(die));
  return type ? declared_at(*type).line : 0;
}

// The place in the source that three attributes of an entry name.
SourceLocation Unit::location(Dwarf_Die die, unsigned file, unsigned line, unsigned column) {
  SourceLocation where{nullptr, to_int(die_number(die, line)), to_int(die_number(die, column))};
  if (const auto number = die_number(die, file)) where.file = lines_.file(*number);
  return where;
}

// Internal names (lambdas, anonymous namespaces) have no linkage name in gcc's DWARF: their names are put together from
// the scopes around the declaration.
std::string Unit::qualified_name(Dwarf_Die die, int depth) const {
  if (const char* linkage = die_linkage_name(die)) return demangle(linkage);
  if (depth > kMaxScopes) return own_name(die);
  return scoped(scope_prefix(entries_.scope_around(die_declaration(die)), depth + 1), own_name(die));
}

std::string Unit::scope_prefix(std::optional<Dwarf_Die> scope, int depth) const {
  if (!scope) return {};
  std::string name = qualified_name(*scope, depth);
  if (dwarf_tag(&*scope) == DW_TAG_subprogram && name.find(')') == std::string::npos) name += "()";
  return name + "::";
}

Variable Unit::describe(const VariableEntry& variable, uint64_t offset) {
  Variable result;
  result.name = without_anonymous(qualified_name(variable.die, 0));
  if (const auto type = die_reference(variable.die, DW_AT_type)) result.name += member_path(*type, offset);
  const SourceLocation where = declared_at(variable.die);
  if (where.file) result.file = where.file->path;
  result.line = where.line;
  return result;
}

}  // namespace snarl::symbolize
