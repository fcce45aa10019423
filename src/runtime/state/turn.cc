#include "runtime/state/turn.h"

#include <linux/membarrier.h>

#include "runtime/platform/raw.h"

namespace snarl::runtime::turn {
namespace {

bool swap(uint32_t& word, uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(&word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// All cores that run this process. Where the kernel refuses it, the process is still on one core, where the switch
// from one thread to another is barrier enough.
void barrier_for_all() {
  raw::call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  raw::call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

}  // namespace

void begin() { __atomic_store_n(&under_way.last, kMainThread, __ATOMIC_RELEASE); }

// A claim that has been withdrawn meanwhile is gone, too: only one that became kTaken has won.
bool contest(Thread& self) {
  return swap(self.claim, kClaimed, kNone) || __atomic_load_n(&self.claim, __ATOMIC_ACQUIRE) != kTaken;
}

void regain(Thread& self) { __atomic_store_n(&self.claim, uint32_t{kNone}, __ATOMIC_RELEASE); }

bool take_from(Thread& from) {
  if (!swap(from.claim, kNone, kClaimed)) return false;
  barrier_for_all();
  if (!__atomic_load_n(&from.in_conductor, __ATOMIC_ACQUIRE)) return swap(from.claim, kClaimed, kTaken);
  swap(from.claim, kClaimed, kNone);
  return false;
}

ThreadId holder() {
  const ThreadId t = __atomic_load_n(&under_way.last, __ATOMIC_ACQUIRE);
  const Thread& thread = thread_at(t);
  const bool has_it = !__atomic_load_n(&thread.in_conductor, __ATOMIC_ACQUIRE) &&
                      __atomic_load_n(&thread.claim, __ATOMIC_ACQUIRE) != kTaken;
  return has_it ? t : kNoThread;
}

}  // namespace snarl::runtime::turn
