#include "runtime/fiber/pool.h"

#include <errno.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/life.h"
#include "runtime/fiber/mint.h"
#include "runtime/platform/guard_pages.h"
#include "runtime/platform/page_notes.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/sanitizer_runtimes.h"
#include "runtime/state/state.h"

namespace snarl::runtime::fiber {
namespace {

// Each live thread has one, and so has each that has ended and was not joined.
constexpr uint32_t kMaxFibers = 2 * kMaxThreads;
SNARL_LARGE Storage<Fiber, kMaxFibers> fibers;
SNARL_PROCESS_STATE uint32_t made;
SNARL_PROCESS_STATE Fiber*
    unusable;  // their stack is the program's, or a sanitizer believes in their last thread: records only

// Fibers with stacks of one size: the first kind's is the default, the last one's is any that has no kind of its own.
struct Kind {
  Wanted stack;
  Fiber* waiting;   // for a thread; the first made first, whatever earlier runs did
  Fiber* put_last;  // of those that wait; null: it does not wait any more
};
constexpr uint32_t kMostKinds = 1 + kMostOwnStacks + 1, kUsers = kMostKinds;
SNARL_PROCESS_STATE Kind kinds[kMostKinds];
SNARL_PROCESS_STATE uint32_t kind_count;

// Of the run.
struct Use {
  uint32_t now, most, all;
};
SNARL_RUN_STATE Use uses[kMostKinds];

[[gnu::cold]] void find_default() {
  kind_count = 1;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  kinds[0].stack = wanted_by(attributes);
  pthread_attr_destroy(&attributes);
}

uint32_t kind_of(const Wanted& wanted) {
  if (wanted.is_users_stack) return kUsers;
  for (uint32_t kind = 0; kind < kind_count; ++kind)
    if (kinds[kind].stack == wanted) return kind;
  if (kind_count == kMostKinds) return kMostKinds - 1;
  kinds[kind_count].stack = wanted;
  return kind_count++;
}

void tell_use(uint32_t kind) {
  wire::State& state = engine::shared->state;
  if (kind == 0) {
    state.at_once = 1 + uses[0].most;  // and main
  } else if (kind <= kMostOwnStacks) {
    const Wanted& stack = kinds[kind].stack;
    state.own_stacks[kind - 1] = {stack.size, stack.guard_size, uses[kind].most, uses[kind].all};
  }
}

void note_taken(uint32_t kind) {
  if (__builtin_expect(kind == kUsers, 0)) return;
  Use& use = uses[kind];
  ++use.all;
  if (++use.now > use.most) use.most = use.now;
  tell_use(kind);
}

// It may have been taken by an earlier run of this process.
void note_given_back(uint32_t kind) {
  if (kind != kUsers && uses[kind].now != 0) --uses[kind].now;
}

Fiber* take_waiting(Kind& kind, const Wanted& wanted) {
  for (Fiber** link = &kind.waiting; *link != nullptr; link = &(*link)->next) {
    Fiber* fiber = *link;
    if (__builtin_expect(fiber->stack != wanted, 0)) continue;
    *link = fiber->next;
    if (fiber == kind.put_last) kind.put_last = nullptr;
    return fiber;
  }
  return nullptr;
}

// Threads are mostly joined in the order in which they were made: the search begins where the last one was put.
void put_in_order(Fiber& fiber) {
  Kind& kind = kinds[fiber.kind];
  Fiber** link = kind.put_last != nullptr && kind.put_last < &fiber ? &kind.put_last->next : &kind.waiting;
  while (*link != nullptr && *link < &fiber) link = &(*link)->next;
  fiber.next = *link;
  *link = &fiber;
  kind.put_last = &fiber;
}

Fiber* new_record() {
  if (Fiber* fiber = unusable) {
    unusable = fiber->next;
    if (fiber->stack.is_users_stack && fiber->handle != 0) dissolve(*fiber);
    return fiber;
  }
  return made < kMaxFibers ? &fibers[made++] : nullptr;
}

[[gnu::noinline]] int make(const pthread_attr_t* attributes, uint32_t kind, Fiber*& taken) {
  taken = new_record();
  if (taken == nullptr) return EAGAIN;
  const int error = mint(*taken, attributes, live_in);
  taken->kind = kind;
  if (error == 0) return 0;
  taken->next = unusable;
  unusable = taken;
  return error;
}

// ASan keeps its own idea of each thread in the thread's storage, and thinks that the OS thread is still there.
bool serves_again(const Fiber& fiber) { return !has_asan() && !fiber.stack.is_users_stack; }

// Of a kind that has one size.
void fill(uint32_t kind, const pthread_attr_t* attributes, uint32_t wanted) {
  if (kind == kMostKinds - 1) return;
  uint32_t there = 0;
  for (const Fiber* fiber = kinds[kind].waiting; fiber != nullptr; fiber = fiber->next) ++there;
  for (Fiber* fiber; there < wanted && make(attributes, kind, fiber) == 0; ++there) {
    if (fiber->stack.size % kPage == 0)  // else it ends elsewhere than its size says
      fiber->begin = guard_pages::mark_below(fiber->handle, fiber->stack.guard_size);
    put_in_order(*fiber);
  }
}

}  // namespace

void begin() {
  raw::fill(uses, 0, sizeof uses);
  tell_use(0);
}

int take(const pthread_attr_t* attributes, Fiber*& taken) {
  if (__builtin_expect(kind_count == 0, 0)) find_default();
  const bool by_default = __builtin_expect(attributes == nullptr, 1);
  const Wanted wanted = by_default ? kinds[0].stack : wanted_by(*attributes);
  const uint32_t kind = by_default ? 0 : kind_of(wanted);
  taken = kind == kUsers ? nullptr : take_waiting(kinds[kind], wanted);
  const int error = taken != nullptr ? 0 : make(attributes, kind, taken);
  if (__builtin_expect(error == 0, 1)) note_taken(kind);
  return error;
}

void give_back(Fiber& fiber) {
  fiber.thread = nullptr;
  note_given_back(fiber.kind);
  if (__builtin_expect(serves_again(fiber), 1)) return put_in_order(fiber);
  if (fiber.stack.is_users_stack && &fiber != fibers::running)
    dissolve(fiber);  // the program may overwrite it from now on
  fiber.next = unusable;
  unusable = &fiber;
}

uint32_t count() { return made; }

const Fiber& nth(uint32_t n) { return fibers[n]; }

void fill(uint32_t wanted) {
  if (kind_count == 0) find_default();
  fill(0, nullptr, wanted);
}

void fill(const OwnStacks& stacks, uint32_t wanted) {
  if (kind_count == 0) find_default();
  pthread_attr_t attributes;
  if (wanted == 0 || pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, stacks.size) == 0 &&
      pthread_attr_setguardsize(&attributes, stacks.guard_size) == 0)
    fill(kind_of(wanted_by(attributes)), &attributes, wanted);
  pthread_attr_destroy(&attributes);
}

}  // namespace snarl::runtime::fiber
