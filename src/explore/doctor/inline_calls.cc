#include "explore/doctor/inline_calls.h"

#include <algorithm>
#include <cstring>

namespace snarl::explore {
namespace {

constexpr std::string_view kSyscall("\x0f\x05", 2);
constexpr uint64_t kBefore = 40;      // bytes in which the number may be loaded: the arguments come between
constexpr uint64_t kAfter = 12;       // bytes in which the result may be tested
constexpr uint32_t kMostCalls = 600;  // no call has a higher number

// mov $number, %eax
std::optional<uint64_t> number_before(std::string_view code, uint64_t at) {
  const uint64_t first = at > kBefore ? at - kBefore : 0;
  for (uint64_t i = at; i-- > first;) {
    if (code[i] != '\xb8' || i + 5 > at) continue;
    uint32_t number;
    std::memcpy(&number, code.data() + i + 1, sizeof number);
    if (number < kMostCalls) return number;
  }
  return std::nullopt;
}

// cmp $-4095, %rax and its shorter forms; test %rax, %rax
bool is_tested(std::string_view code, uint64_t after) {
  const std::string_view next = code.substr(after, kAfter);
  for (const char* test : {"\x48\x3d", "\x48\x83\xf8", "\x48\x85\xc0", "\x83\xf8", "\x85\xc0"})
    if (next.find(test) != next.npos) return true;
  return next.size() >= 5 && next[0] == '\x3d' && next[4] == '\xff';
}

}  // namespace

std::vector<InlineCall> find_inline_calls(std::string_view code) {
  std::vector<InlineCall> result;
  for (size_t at = 0; (at = code.find(kSyscall, at)) != code.npos; at += kSyscall.size()) {
    const InlineCall call{at, number_before(code, at), is_tested(code, at + kSyscall.size())};
    if (call.number || call.tested) result.push_back(call);
  }
  const bool sure = std::ranges::any_of(result, [](const InlineCall& call) { return call.number && call.tested; });
  return sure ? result : std::vector<InlineCall>();
}

}  // namespace snarl::explore
