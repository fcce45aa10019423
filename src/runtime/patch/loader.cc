#include "runtime/patch/loader.h"

#include <link.h>
#include <sys/mman.h>

#include "runtime/patch/memory.h"
#include "runtime/raw.h"

namespace snarl::patch {
namespace {

constexpr uint64_t kFunctionsLie = 16;  // bytes: where the next function may begin

void (*act)() = nullptr;

// In the thread that is in dlopen, with the loader's lock.
void on_change() {
  if (_r_debug.r_state == r_debug::RT_CONSISTENT) act();
}

// ret, and then nothing but the padding in front of the next function; endbr64 may come first.
bool is_empty_function(const uint8_t* at) {
  if (at[0] == 0xf3 && at[1] == 0x0f && at[2] == 0x1e && at[3] == 0xfa) at += 4;
  const bool nops = (at[1] == 0x66 && at[2] == 0x66 && at[3] == 0x2e && at[4] == 0x0f && at[5] == 0x1f) ||
                    (at[1] == 0x66 && at[2] == 0x2e && at[3] == 0x0f && at[4] == 0x1f) ||
                    (at[1] == 0x0f && at[2] == 0x1f) || (at[1] == 0x90 && at[2] == 0x90 && at[3] == 0x90 && at[4] == 0x90) ||
                    (at[1] == 0xcc && at[2] == 0xcc && at[3] == 0xcc && at[4] == 0xcc);
  return at[0] == 0xc3 && nops && reinterpret_cast<uint64_t>(at) % kFunctionsLie <= 4;
}

}  // namespace

bool when_files_are_loaded(void (*then)()) {
  const uint64_t at = _r_debug.r_brk;
  constexpr uint8_t kJump[] = {0xff, 0x25, 0, 0, 0, 0};  // to the address that follows: it may be far
  const uint64_t target = reinterpret_cast<uint64_t>(&on_change);
  constexpr uint64_t kLength = sizeof kJump + sizeof target;
  const bool has_room = at % kFunctionsLie + kLength <= kFunctionsLie;
  if (at == 0 || !has_room || !is_empty_function(reinterpret_cast<const uint8_t*>(at))) return false;
  if (!protect(at, at + kLength, PROT_READ | PROT_WRITE)) return false;
  act = then;
  auto* to = reinterpret_cast<uint8_t*>(at);
  raw::copy(to, kJump, sizeof kJump);
  raw::copy(to + sizeof kJump, &target, sizeof target);
  return protect(at, at + kLength, PROT_READ | PROT_EXEC);
}

}  // namespace snarl::patch
