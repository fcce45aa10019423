#include "runtime/trace/careful_read.h"

#include <sys/uio.h>
#include <ucontext.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/trace/debugger.h"

// careful_load.S
#define SNARL_CODE extern "C" __attribute__((visibility("hidden")))
SNARL_CODE const unsigned char snarl_careful_first[], snarl_careful_last[], snarl_careful_fault[];
SNARL_CODE uint64_t snarl_careful_load1(uint64_t address);
SNARL_CODE uint64_t snarl_careful_load2(uint64_t address);
SNARL_CODE uint64_t snarl_careful_load4(uint64_t address);
SNARL_CODE uint64_t snarl_careful_load8(uint64_t address);

namespace snarl::runtime::careful {
namespace {

SNARL_PROCESS_STATE bool guarded = false;

uint64_t address_of(const unsigned char* label) { return reinterpret_cast<uint64_t>(label); }

uint64_t load(uint64_t address, uint64_t size) {
  switch (size) {
    case 1: return snarl_careful_load1(address);
    case 2: return snarl_careful_load2(address);
    case 4: return snarl_careful_load4(address);
    default: return size < 8 ? 0 : snarl_careful_load8(address);
  }
}

// The kernel reads it for us.
[[gnu::noinline, gnu::cold]] uint64_t copy(uint64_t address, uint64_t size) {
  uint64_t value = 0;
  if (size > 8) size = 8;
  if (size != 1 && size != 2 && size != 4 && size != 8) return 0;
  const iovec to{&value, size}, from{reinterpret_cast<void*>(address), size};
  const long got = raw::call(SYS_process_vm_readv, raw::call(SYS_getpid), &to, 1, &from, 1, 0);
  return got == static_cast<long>(size) ? value : 0;
}

}  // namespace

uint64_t read(uint64_t address, uint64_t size) {
  return __builtin_expect(guarded && snarl_debug.is_watched == 0, 1) ? load(address, size) : copy(address, size);
}

void faults_come_here() { guarded = true; }

bool recovers(void* context) {
  greg_t& pc = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const auto at = static_cast<uint64_t>(pc);
  if (at < address_of(snarl_careful_first) || at >= address_of(snarl_careful_last)) return false;
  pc = static_cast<greg_t>(address_of(snarl_careful_fault));
  return true;
}

}  // namespace snarl::runtime::careful
