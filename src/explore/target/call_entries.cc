#include "explore/target/call_entries.h"

#include <algorithm>
#include <set>

#include "explore/target/policy_spec.h"
#include "policy/speed_vector.h"
#include "scan/plt_slots.h"

namespace snarl::explore {

void add_call_rule(const std::vector<PolicySpec>& policies, std::vector<FunctionRule>& rules) {
  const auto counts = [](const PolicySpec& policy) {
    return policy_name(policy) == "speed" && policy::counts_functions(policy);
  };
  if (std::ranges::any_of(policies, counts)) rules.push_back({.use = FunctionUse::kPoint, .pattern = kEveryCall});
}

void add_call_entries(const std::string& file, std::string_view bytes, const scan::CodeImage& image,
                      const std::vector<FunctionRule>& rules, NamedFunctions& named) {
  const auto rule = std::ranges::find_if(rules, is_every_call);
  if (rule == rules.end() || is_of_system(file)) return;
  std::set<uint64_t> known;
  for (const scan::NamedFunction& function : named.functions) known.insert(function.address);
  const auto add = [&](uint64_t address) {
    if (image.is_hook(address) || !known.insert(address).second) return;
    named.functions.push_back({address, {.use = FunctionUse::kPoint}});
    named.matched |= uint64_t{1} << (rule - rules.begin());
  };
  for (const scan::Function& function : image.functions) add(function.begin);
  for (const uint64_t slot : scan::plt_slots(bytes)) add(slot);
}

}  // namespace snarl::explore
