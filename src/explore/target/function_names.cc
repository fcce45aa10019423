#include "explore/target/function_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "explore/target/elf_image.h"
#include "explore/target/loaded_libraries.h"
#include "os/file_bytes.h"
#include "report/suppressions.h"
#include "symbolize/function_list.h"
#include "symbolize/names.h"

namespace snarl::explore {
namespace {

constexpr size_t kMostNames = 3;  // that somebody may have meant

// A lock is a point as well.
void put(std::map<uint64_t, wire::Named>& functions, uint64_t address, const FunctionRule& rule) {
  wire::Named& named = functions[address];
  if (is_lock(named.use)) return;
  named.use = rule.use;
  named.argument = rule.argument;
  named.zero_succeeds = rule.zero_succeeds;
}

// The program's own, and those of its libraries that are not the system's.
std::vector<std::string> files_of(const Setup& setup, os::Guard& guard) {
  std::vector<std::string> files{setup.target.path};
  const os::FileBytes bytes(setup.target.path);
  const auto libraries = loaded_libraries(setup, parse_elf(bytes.view()).interpreter, guard);
  if (!libraries) return files;
  for (const Library& library : *libraries)
    if (!is_of_system(library.path)) files.push_back(library.path);
  return files;
}

std::vector<std::string> known_names(const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const std::string& file : files)
    for (const symbolize::FunctionSymbol& function : symbolize::list_functions(file)) {
      std::string name = symbolize::short_function_name(function.name);
      if (!symbolize::is_system_function(name) && !name.starts_with('_')) names.insert(std::move(name));
    }
  return {names.begin(), names.end()};
}

bool is_inlined(const std::string& pattern, const std::vector<std::string>& files) {
  const size_t scope = pattern.rfind("::");
  const std::string last = scope == pattern.npos ? pattern : pattern.substr(scope + 2);
  const auto is_it = [&](const symbolize::FunctionSymbol& f) {
    return f.symbol.empty() ? report::fits_pattern(last, f.name)
                            : symbolize::is_named(f, pattern, report::fits_pattern);
  };
  const auto has_it = [&](const std::string& file) {
    return std::ranges::any_of(symbolize::list_inlined_functions(file), is_it);
  };
  return std::ranges::any_of(files, has_it);
}

// A lock that is taken or given back where nobody sees it would seem to be free, or held for ever.
std::string why_incomplete(const std::string& pattern, const std::vector<std::string>& files) {
  if (is_inlined(pattern, files)) return "it was inlined where it is called";
  const auto is_copy = [&](const symbolize::FunctionSymbol& f) {
    return f.is_copy && symbolize::is_named(f, pattern, report::fits_pattern);
  };
  const auto has_copy = [&](const std::string& file) {
    return std::ranges::any_of(symbolize::list_functions(file), is_copy);
  };
  return std::ranges::any_of(files, has_copy) ? "the compiler made copies of it with other arguments" : "";
}

Error no_function(const std::string& pattern, const std::vector<std::string>& files) {
  if (is_inlined(pattern, files))
    return Error{fmt::format("{} was inlined wherever it is called: it has no entry that could be a point", pattern),
                 "build with -fno-inline, or give it __attribute__((noinline))", 2};
  const std::vector<std::string> names = known_names(files);
  const std::vector<std::string> near = nearest_names(pattern, names, kMostNames);
  const std::string no_name = names.empty() ? "the program has no symbols: build it without -s, or with -g"
                                            : fmt::format("nm -C {} lists those of the program", files.front());
  return Error{fmt::format("no function of the program or of a library that it loaded is named \"{}\"", pattern),
               near.empty() ? no_name : fmt::format("did you mean {}?", fmt::join(near, ", ")), 2};
}

}  // namespace

bool is_every_call(const FunctionRule& rule) { return rule.use == FunctionUse::kPoint && rule.pattern == kEveryCall; }

bool is_of_system(const std::string& file) { return file.starts_with("/lib") || file.starts_with("/usr/lib"); }

NamedFunctions find_named_functions(const std::string& file, const std::vector<FunctionRule>& rules) {
  NamedFunctions result;
  if (rules.empty()) return result;
  std::map<uint64_t, wire::Named> functions;
  for (const symbolize::FunctionSymbol& function : symbolize::list_functions(file))
    for (size_t i = 0; i < rules.size() && i < kMaxFunctionRules; ++i) {
      if (is_every_call(rules[i]) || !symbolize::is_named(function, rules[i].pattern, report::fits_pattern) ||
          (function.is_copy && is_lock(rules[i].use)))
        continue;
      put(functions, function.address, rules[i]);
      result.matched |= uint64_t{1} << i;
    }
  for (const auto& [address, named] : functions) result.functions.push_back({address, named});
  return result;
}

Status check_all_matched(const Setup& setup, uint64_t matched, os::Guard& guard) {
  if (setup.functions.empty()) return Done{};
  const std::vector<std::string> files = files_of(setup, guard);
  for (size_t i = 0; i < setup.functions.size(); ++i) {
    const FunctionRule& rule = setup.functions[i];
    if (is_lock(rule.use))
      if (const std::string why = why_incomplete(rule.pattern, files); !why.empty())
        return Error{fmt::format("{} can't be followed: {}", rule.pattern, why),
                     "build with -fno-inline -fno-ipa-cp -fno-ipa-sra, or give it __attribute__((noipa)) (gcc), "
                     "noinline (clang)",
                     2};
    if ((matched >> i & 1) == 0) return no_function(rule.pattern, files);
  }
  return Done{};
}

}  // namespace snarl::explore
