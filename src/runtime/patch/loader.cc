#include "runtime/patch/loader.h"

#include <link.h>
#include <sys/mman.h>

#include "runtime/patch/memory.h"
#include "runtime/raw.h"

namespace snarl::patch {
namespace {

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
  return at[0] == 0xc3 && nops && reinterpret_cast<uint64_t>(at) % 16 <= 4;
}

}  // namespace

bool when_files_are_loaded(void (*then)()) {
  const uint64_t at = _r_debug.r_brk;
  if (at == 0 || !is_empty_function(reinterpret_cast<const uint8_t*>(at))) return false;
  const auto distance = static_cast<int64_t>(reinterpret_cast<uint64_t>(&on_change) - (at + 5));
  const auto near = static_cast<int32_t>(distance);  // libraries lie side by side
  if (near != distance || !protect(at, at + 5, PROT_READ | PROT_WRITE)) return false;
  act = then;
  auto* to = reinterpret_cast<uint8_t*>(at);
  to[0] = 0xe9;
  raw::copy(to + 1, &near, sizeof near);
  return protect(at, at + 5, PROT_READ | PROT_EXEC);
}

}  // namespace snarl::patch
