// pthread_once, and so std::call_once: libc's control word, with our list for those who wait.
#include <errno.h>

#include "runtime/parallel/once_routine.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {
namespace {

constexpr int kInProgress = 1, kDone = 2;  // glibc's values, without a fork in between
constexpr int kOurs = -1;

int try_once(int* control) {
  int seen = __atomic_load_n(control, __ATOMIC_ACQUIRE);
  if ((seen & kDone) != 0) return 0;
  if ((seen & kInProgress) != 0) return EBUSY;
  return __atomic_compare_exchange_n(control, &seen, kInProgress, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) ? kOurs
                                                                                                             : EBUSY;
}

int once(pthread_once_t* control, void (*routine)()) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_once(control, routine);
  arrive(*self, OpKind::kOnce, control, self->caller);
  const int answer = acquire(*self, control, [=] { return try_once(control); });
  note(*self);
  if (answer != kOurs) return 0;
  SnarlParallelOnce call{control, routine, 0};
  snarl_parallel_once(&call);
  return 0;
}

}  // namespace

extern "C" void snarl_parallel_once_left(SnarlParallelOnce* call) {
  __atomic_store_n(call->control, call->done != 0 ? kDone : 0, __ATOMIC_SEQ_CST);
  if (Thread* self = current) offer_to_all(*self, call->control);
}

void install_once(Real& table) { table.pthread_once = once; }

}  // namespace snarl::runtime::parallel
