#include "runtime/turn.h"

namespace snarl::turn {
namespace {

constexpr uint32_t kInConductor = 0xffffffff;

uint32_t word;  // slot of the thread that is in the program's code, or kInConductor

bool swap(uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(&word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

}  // namespace

void begin() { __atomic_store_n(&word, uint32_t{kMainThread}, __ATOMIC_RELEASE); }

bool enter(const Thread& self) { return swap(self.id, kInConductor); }

void leave(const Thread& self) { __atomic_store_n(&word, uint32_t{self.id}, __ATOMIC_RELEASE); }

bool take_from(const Thread& from) { return swap(from.id, kInConductor); }

ThreadId holder() {
  const uint32_t now = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  return now == kInConductor ? kNoThread : static_cast<ThreadId>(now);
}

}  // namespace snarl::turn
