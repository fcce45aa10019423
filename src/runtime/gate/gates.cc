#include "runtime/gate/gates.h"

#include <time.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/state/watcher.h"

namespace snarl::runtime::gates {
namespace {

SNARL_RUN_STATE void (*asked)(Thread&);  // what the thread that is asked is to do
SNARL_RUN_STATE uint32_t answered;       // futex: set by that thread

void change(uint32_t& gate, uint32_t from, uint32_t to) {
  __atomic_compare_exchange_n(&gate, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void sleep(Thread& self) {
  if (!watcher::is_appointed(self)) return raw::futex_wait(&self.gate, kClosed);
  const timespec span = {.tv_sec = 0, .tv_nsec = watcher::kLookEvery};
  const long slept = raw::call(SYS_futex, &self.gate, FUTEX_WAIT_PRIVATE, kClosed, &span);
  if (slept == -110 /* ETIMEDOUT */) under_way.look(self);
}

void* thread_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  self.tid = static_cast<int>(raw::call(SYS_gettid));
  return self.live(self);
}

}  // namespace

int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes) {
  const int error = real().pthread_create(handle, attributes, thread_main, &child);
  if (error == 0) child.handle = *handle;
  return error;
}

// What the model grants: the OS thread is gone, or about to be.
int join(Thread& ended, void** result) { return real().pthread_join(ended.handle, result); }
int detach(Thread& thread) { return real().pthread_detach(thread.handle); }

void open(Thread& to) {
  __atomic_store_n(&to.gate, kOpen, __ATOMIC_RELEASE);
  raw::futex_wake(&to.gate);
}

void wait(Thread& self) {
  for (;;) {
    const uint32_t gate = __atomic_load_n(&self.gate, __ATOMIC_ACQUIRE);
    if (gate == kClosed) {
      sleep(self);
      continue;
    }
    if (gate == kNudged) {  // it may be opened in this very moment
      change(self.gate, kNudged, kClosed);
      continue;
    }
    __atomic_store_n(&self.gate, kClosed, __ATOMIC_RELAXED);
    if (gate == kOpen) return;
    answer(self);
  }
}

void answer(Thread& self) {
  Inside inside(self);  // the unwinder has locks of its own
  asked(self);
  __atomic_store_n(&answered, 1, __ATOMIC_RELEASE);
  raw::futex_wake(&answered);
}

// One that is just about to sleep, and has looked already, must not sleep then: the gate tells it.
void nudge(Thread& sleeper) {
  change(sleeper.gate, kClosed, kNudged);
  raw::futex_wake(&sleeper.gate);
}

void ask(Thread& of, void (*what)(Thread&)) {
  const timespec patience = {.tv_sec = 0, .tv_nsec = 100'000'000};
  __atomic_store_n(&answered, 0, __ATOMIC_RELAXED);
  asked = what;
  __atomic_store_n(&of.gate, kAsked, __ATOMIC_RELEASE);
  raw::futex_wake(&of.gate);
  while (__atomic_load_n(&answered, __ATOMIC_ACQUIRE) == 0) {
    const long slept = raw::call(SYS_futex, &answered, FUTEX_WAIT_PRIVATE, 0, &patience);
    if (slept != 0 && slept != -11 /* EAGAIN */ && slept != -4 /* EINTR */) return;
  }
}

}  // namespace snarl::runtime::gates
