#include "runtime/state/thread.h"

#include "base/anew.h"
#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"

namespace snarl::runtime {

constinit thread_local Thread* current = nullptr;

namespace {

SNARL_LARGE Storage<Thread, kMaxThreads> threads;  // zero until made
SNARL_RUN_STATE uint32_t slots_used;               // slots ever made in this run: the search below stops there

SNARL_RUN_STATE uint32_t found_last;  // threads are mostly joined in order: the next search begins there

template <typename F>
Thread* find(F&& is_it) {
  for (uint32_t i = 0; i < slots_used; ++i)
    if (is_it(threads[i])) return &threads[i];
  return nullptr;
}

}  // namespace

Thread& thread_at(ThreadId id) { return threads[id]; }

// At most one is.
Thread* thread_of(pthread_t handle) {
  const auto is_it = [handle](const Thread& t) { return t.joinable_handle && t.handle == handle; };
  for (uint32_t i = found_last; i < slots_used; ++i)
    if (is_it(threads[i])) return &threads[found_last = i];
  for (uint32_t i = 0; i < found_last; ++i)
    if (is_it(threads[i])) return &threads[found_last = i];
  return nullptr;
}

Thread* past_thread_of(pthread_t handle) {
  return find([handle](const Thread& t) { return !t.joinable_handle && t.handle == handle && handle != 0; });
}

Thread* thread_with_tid(int tid) {
  return find([tid](const Thread& t) { return t.tid == tid; });
}

Thread& make_thread(ThreadId id, uint32_t ordinal) {
  Thread& thread = make_anew(threads[id]);
  thread.id = id;
  thread.ordinal = ordinal;
  slots_used = id >= slots_used ? id + 1u : slots_used;
  return thread;
}

}  // namespace snarl::runtime
