#include "instrument/specialise.h"

#include <sys/mman.h>
#include <unistd.h>

#include "instrument/hooks.h"
#include "schedule/operation.h"

namespace snarl::instrument {
namespace {

static_assert(static_cast<int>(OpKind::kRead) == SNARL_KIND_READ &&
              static_cast<int>(OpKind::kWrite) == SNARL_KIND_WRITE);

// accesses.S
#define SNARL_CODE extern "C" __attribute__((visibility("hidden"))) unsigned char
SNARL_CODE snarl_tsan_first_access[], snarl_tsan_last_access[];
SNARL_CODE snarl_tsan_for_none[], snarl_tsan_for_shared[], snarl_tsan_for_all[];

SNARL_OWN const unsigned char* body_for(Accesses accesses) {
  switch (accesses) {
    case Accesses::kNone: return snarl_tsan_for_none;
    case Accesses::kAll: return snarl_tsan_for_all;
    default: return snarl_tsan_for_shared;
  }
}

}  // namespace

SNARL_OWN void specialise(Accesses accesses) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t first = reinterpret_cast<uint64_t>(snarl_tsan_first_access) & -page;
  const uint64_t size = reinterpret_cast<uint64_t>(snarl_tsan_last_access) - first;
  // It stays executable all the time: code that runs now may lie on the same page.
  if (mprotect(reinterpret_cast<void*>(first), size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  const unsigned char* body = body_for(accesses);
  for (unsigned char* hook = snarl_tsan_first_access; hook != snarl_tsan_last_access; hook += SNARL_HOOK_BYTES)
    __builtin_memcpy(hook + SNARL_HOOK_BODY, body + SNARL_HOOK_BODY, SNARL_HOOK_TAIL - SNARL_HOOK_BODY);
  mprotect(reinterpret_cast<void*>(first), size, PROT_READ | PROT_EXEC);
}

}  // namespace snarl::instrument
