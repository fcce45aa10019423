#include "runtime/run/plugins.h"

#include <dlfcn.h>

#include "base/state_marks.h"
#include "policy/plugin.h"
#include "runtime/platform/text.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE const struct snarl_policy* loaded[wire::kMaxPlugins];  // in the order of the options

const struct snarl_policy* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto* policy = static_cast<const struct snarl_policy*>(dlsym(library, "snarl_policy_entry"));
  const bool good = policy != nullptr && policy->abi == SNARL_POLICY_ABI &&
                    policy->state_size <= policy::kMaxPluginState && policy->decide != nullptr;
  return good ? policy : nullptr;
}

}  // namespace

void load_plugins() {
  for (uint32_t i = 0; i < wire::kMaxPlugins && engine::shared->options.plugins[i][0] != '\0'; ++i)
    loaded[i] = load(engine::shared->options.plugins[i]);
}

const struct snarl_policy* plugin_from(const char* path) {
  for (uint32_t i = 0; i < wire::kMaxPlugins && path[0] != '\0'; ++i)
    if (same(engine::shared->options.plugins[i], path)) return loaded[i];
  return nullptr;
}

}  // namespace snarl::runtime
