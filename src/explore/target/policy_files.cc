#include "explore/target/policy_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "explore/target/plugin_file.h"
#include "explore/target/policy_spec.h"
#include "os/read_file.h"

namespace snarl::explore {
namespace {

Status load_plugin(PolicySpec& policy, Setup& setup) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(policy.file, error).lexically_normal();
  const Expected<std::string> bytes = os::read_file(path, 2);
  if (!bytes) return bytes.error();
  if (Status checked = check_plugin(policy.file, *bytes); !checked) return checked;
  if (Status set = set_policy_file(policy, path); !set) return set;
  if (std::ranges::find(setup.plugins, path) != setup.plugins.end()) return Done{};
  if (setup.plugins.size() == wire::kMaxPlugins)
    return Error{fmt::format("more than {} libraries of policies", wire::kMaxPlugins), {}, 2};
  setup.plugins.push_back(path);
  return Done{};
}

Status load_directive(const PolicySpec& policy, Setup& setup) {
  if (setup.reset == wire::Reset::kExec)
    return Error{"obey needs --reset fork: places are known only once the program is loaded", {}, 2};
  const Expected<std::string> text = os::read_file(policy.file, 2);
  if (!text) return text.error();
  Expected<Directive> directive = parse_directive(*text, policy.file);
  if (!directive) return directive.error();
  setup.directives[policy.file] = std::move(*directive);
  return Done{};
}

}  // namespace

Status load_policy_files(std::vector<PolicySpec>& policies, Setup& setup) {
  for (PolicySpec& policy : policies) {
    if (policy_name(policy) == "plugin")
      if (Status loaded = load_plugin(policy, setup); !loaded) return loaded;
    if (policy_name(policy) == "obey")
      if (Status loaded = load_directive(policy, setup); !loaded) return loaded;
  }
  return Done{};
}

}  // namespace snarl::explore
