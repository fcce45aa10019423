#include "runtime/fiber/pool.h"

#include <errno.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"
#include "runtime/fiber/life.h"
#include "runtime/fiber/mint.h"
#include "runtime/platform/guard_pages.h"
#include "runtime/platform/sanitizer_runtimes.h"

namespace snarl::runtime::fiber {
namespace {

// Each live thread has one, and so has each that has ended and was not joined.
constexpr uint32_t kMaxFibers = 2 * kMaxThreads;
SNARL_LARGE Storage<Fiber, kMaxFibers> fibers;
SNARL_PROCESS_STATE uint32_t made;
SNARL_PROCESS_STATE Fiber* waiting;   // for a thread; the first made first, whatever earlier runs did
SNARL_PROCESS_STATE Fiber* put_last;  // of those that wait; null: it does not wait any more
SNARL_PROCESS_STATE Fiber*
    unusable;  // their stack is the program's, or a sanitizer believes in their last thread: records only

struct Wanted {
  size_t stack_size = 0, guard_size = 0;
  bool is_users_stack = false;
};
SNARL_PROCESS_STATE Wanted by_default;  // without attributes; no stack size: not asked yet

[[gnu::noinline]] Wanted wanted_by(const pthread_attr_t& attributes) {
  Wanted wanted;
  void* address = nullptr;
  pthread_attr_getstack(&attributes, &address, &wanted.stack_size);
  pthread_attr_getguardsize(&attributes, &wanted.guard_size);
  wanted.is_users_stack = reinterpret_cast<uint64_t>(address) + wanted.stack_size != 0;
  return wanted;
}

[[gnu::cold]] Wanted wanted_by_default() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return {};
  const Wanted wanted = wanted_by(attributes);
  pthread_attr_destroy(&attributes);
  return wanted;
}

Fiber* take_waiting(const Wanted& wanted) {
  if (wanted.is_users_stack) return nullptr;
  for (Fiber** link = &waiting; *link != nullptr; link = &(*link)->next) {
    Fiber* fiber = *link;
    if (fiber->stack_size != wanted.stack_size || fiber->guard_size != wanted.guard_size) continue;
    *link = fiber->next;
    if (fiber == put_last) put_last = nullptr;
    return fiber;
  }
  return nullptr;
}

// Threads are mostly joined in the order in which they were made: the search begins where the last one was put.
void put_in_order(Fiber& fiber) {
  Fiber** link = put_last != nullptr && put_last < &fiber ? &put_last->next : &waiting;
  while (*link != nullptr && *link < &fiber) link = &(*link)->next;
  fiber.next = *link;
  *link = &fiber;
  put_last = &fiber;
}

Fiber* new_record() {
  if (Fiber* fiber = unusable) {
    unusable = fiber->next;
    if (fiber->is_users_stack && fiber->handle != 0) dissolve(*fiber);
    return fiber;
  }
  return made < kMaxFibers ? &fibers[made++] : nullptr;
}

[[gnu::noinline]] int make(const pthread_attr_t* attributes, Fiber*& taken) {
  taken = new_record();
  if (taken == nullptr) return EAGAIN;
  const int error = mint(*taken, attributes, live_in);
  if (error == 0) return 0;
  taken->next = unusable;
  unusable = taken;
  return error;
}

// ASan keeps its own idea of each thread in the thread's storage, and thinks that the OS thread is still there.
bool serves_again(const Fiber& fiber) { return !has_asan() && !fiber.is_users_stack; }

}  // namespace

int take(const pthread_attr_t* attributes, Fiber*& taken) {
  if (__builtin_expect(by_default.stack_size == 0, 0)) by_default = wanted_by_default();
  taken = take_waiting(__builtin_expect(attributes == nullptr, 1) ? by_default : wanted_by(*attributes));
  return taken != nullptr ? 0 : make(attributes, taken);
}

void give_back(Fiber& fiber) {
  fiber.thread = nullptr;
  if (__builtin_expect(serves_again(fiber), 1)) return put_in_order(fiber);
  fiber.next = unusable;
  unusable = &fiber;
}

void fill(uint32_t wanted) {
  uint32_t there = 0;
  for (const Fiber* fiber = waiting; fiber != nullptr; fiber = fiber->next) ++there;
  for (Fiber* fiber; there < wanted && make(nullptr, fiber) == 0; ++there) {
    guard_pages::mark_below(fiber->handle, fiber->guard_size);
    put_in_order(*fiber);
  }
}

}  // namespace snarl::runtime::fiber
