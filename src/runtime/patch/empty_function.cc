#include "runtime/patch/empty_function.h"

#include <sys/mman.h>

#include "runtime/patch/memory.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::patch {
namespace {

constexpr uint64_t kFunctionsLie = 16;  // bytes: where the next function may begin

bool is_boundary(const uint8_t* at) { return reinterpret_cast<uint64_t>(at) % kFunctionsLie == 0; }

// A long nop or int3: no function begins with one.
bool is_padding(const uint8_t* at) {
  return (at[0] == 0x66 && at[1] == 0x66 && at[2] == 0x2e && at[3] == 0x0f && at[4] == 0x1f) ||
         (at[0] == 0x66 && at[1] == 0x2e && at[2] == 0x0f && at[3] == 0x1f) || (at[0] == 0x0f && at[1] == 0x1f) ||
         (at[0] == 0xcc && at[1] == 0xcc && at[2] == 0xcc && at[3] == 0xcc);
}

// ret, and then nothing but the padding in front of the next function; endbr64 may come first.
bool is_empty_function(const uint8_t* at) {
  const bool near_boundary = reinterpret_cast<uint64_t>(at) % kFunctionsLie <= 4;
  if (at[0] == 0xf3 && at[1] == 0x0f && at[2] == 0x1e && at[3] == 0xfa) at += 4;
  if (*at++ != 0xc3 || !near_boundary) return false;
  while (*at == 0x90 && !is_boundary(at)) ++at;
  return is_boundary(at) || is_padding(at);
}

}  // namespace

bool lead_empty_function(uint64_t at, void (*to)()) {
  constexpr uint8_t kJump[] = {0xff, 0x25, 0, 0, 0, 0};  // to the address that follows: it may be far
  constexpr uint64_t kLength = sizeof kJump + sizeof to;
  const bool has_room = at % kFunctionsLie + kLength <= kFunctionsLie;
  if (at == 0 || !has_room || !is_empty_function(reinterpret_cast<const uint8_t*>(at))) return false;
  if (!protect(at, at + kLength, PROT_READ | PROT_WRITE)) return false;
  auto* code = reinterpret_cast<uint8_t*>(at);
  raw::copy(code, kJump, sizeof kJump);
  raw::copy(code + sizeof kJump, &to, sizeof to);
  return protect(at, at + kLength, PROT_READ | PROT_EXEC);
}

}  // namespace snarl::runtime::patch
