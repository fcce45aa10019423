#include "explore/campaign/own_libraries.h"

#include <map>

#include "explore/target/elf_image.h"
#include "os/file_bytes.h"
#include "symbolize/paths.h"

namespace snarl::explore {
namespace {

constexpr const char* kOurs = "libsnarl.so";

using Paths = std::map<std::string, std::string>;  // by file name

// Of the file and all that it needs, but for us.
void collect(const std::string& name, const Paths& paths, std::set<std::string>& names) {
  const auto path = paths.find(name);
  if (path == paths.end() || !names.insert(name).second) return;
  const os::FileBytes bytes(path->second);
  for (const std::string& needed : parse_elf(bytes.view()).needed)
    if (!needed.starts_with(kOurs)) collect(needed, paths, names);
}

}  // namespace

std::set<std::string> own_libraries(std::span<const LoadedModule> modules) {
  Paths paths;
  std::string ours;
  for (const LoadedModule& module : modules) {
    const std::string name(symbolize::base_name(module.path));
    paths[name] = module.path;
    if (name.starts_with(kOurs)) ours = name;
  }
  if (ours.empty()) return {};
  std::set<std::string> result, programs;
  collect(ours, paths, result);
  collect(std::string(symbolize::base_name(modules.front().path)), paths, programs);
  std::erase_if(result, [&](const std::string& name) { return programs.contains(name); });
  return result;
}

}  // namespace snarl::explore
