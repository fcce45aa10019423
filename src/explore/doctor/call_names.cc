#include "explore/doctor/call_names.h"

#include <fmt/format.h>

#include "census/system_calls.h"

namespace snarl::explore {

std::string call_name(uint64_t number) {
  const census::SystemCall* call = census::system_call(number);
  return call == nullptr ? fmt::format("call {}", number) : call->name;
}

}  // namespace snarl::explore
