#include "coseq/host/method.h"

#include <algorithm>

#include "explore/target/policy_spec.h"
#include "policy/catalog.h"

namespace snarl::coseq {
namespace {

bool is_strategy(std::string_view name) {
  return std::ranges::any_of(strategy_catalog(), [&](const StrategyInfo& info) { return name == info.name; });
}

Status can_choose(const std::string& text, const PolicySpec& policy) {
  const char* hint = "snarl run has it";
  if (explore::is_parallel(policy))
    return Error{"-p " + text + ": its threads run at the same time, and those of a lane take turns", hint, 2};
  if (policy::info_of(policy).file != nullptr || !policy::info_of(policy).for_users)
    return Error{"-p " + text + ": it goes by a file about a program, which a lane is not", hint, 2};
  return Done{};
}

}  // namespace

Expected<Method> parse_method(const std::string& text) {
  Method method;
  if (is_strategy(text.substr(0, text.find(':')))) {
    Expected<Chosen> chosen = parse_strategy(text);
    if (!chosen) return chosen.error();
    method.text = chosen->text;
    method.chosen = std::move(*chosen);
    return method;
  }
  Expected<PolicySpec> policy = explore::parse_policy(text);
  if (!policy) return policy.error();
  if (Status can = can_choose(text, *policy); !can) return can.error();
  method.text = explore::to_string(*policy);
  method.policy = *policy;
  return method;
}

}  // namespace snarl::coseq
