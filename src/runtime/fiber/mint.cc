#include "runtime/fiber/mint.h"

#include <signal.h>
#include <sys/rseq.h>

#include "runtime/fiber/heap_cache.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/state/state.h"

namespace snarl::runtime::fiber {
namespace {

struct Order {
  Fiber* fiber;
  void (*live_in)(Fiber&);
};

// The kernel writes the running core only into the carrier's area: in this one, libc must not believe what stands
// there, and ask.
void forget_core(const Fiber& fiber) {
  constexpr uint32_t kUninitialized = ~uint32_t{0};  // RSEQ_CPU_ID_UNINITIALIZED
  if (__rseq_size == 0) return;                      // libc does not use it
  auto* area = reinterpret_cast<struct rseq*>(fiber.handle + static_cast<unsigned long>(__rseq_offset));
  area->cpu_id = kUninitialized;
}

// On the OS thread, up to the departure; then on the carrier.
void* begin(void* argument) {
  const Order order = *static_cast<Order*>(argument);
  Fiber& fiber = *order.fiber;
  size_t size = 0;
  raw::call(SYS_get_robust_list, 0, &fiber.robust, &size);
  fiber.context.thread_pointer = pthread_self();
  depart(fiber.context, &fiber.gone);
  order.live_in(fiber);
  __builtin_trap();
}

// It may have to wait for a core: the explorer, who looks after us, must not take that for a call that never ends.
void await_departure(const Fiber& fiber) {
  uint32_t& waits = engine::shared->state.on_fibers.waits;
  waits = 1;
  while (const uint32_t gone = __atomic_load_n(&fiber.gone, __ATOMIC_ACQUIRE))
    raw::call(SYS_futex, &fiber.gone, FUTEX_WAIT, gone, 0);  // not private: the kernel's wake isn't
  waits = 0;
}

}  // namespace

Wanted wanted_by(const pthread_attr_t& attributes) {
  Wanted wanted;
  void* address = nullptr;
  pthread_attr_getstack(&attributes, &address, &wanted.size);
  pthread_attr_getguardsize(&attributes, &wanted.guard_size);
  wanted.is_users_stack = reinterpret_cast<uint64_t>(address) + wanted.size != 0;    // else its end is null
  if (!wanted.is_users_stack) pthread_attr_getstacksize(&attributes, &wanted.size);  // also where none is set
  return wanted;
}

// No handler may run in the OS thread, which is not a thread of the program.
int mint(Fiber& fiber, const pthread_attr_t* attributes, void (*live_in)(Fiber&)) {
  pthread_attr_t joinable;
  if (attributes != nullptr)
    joinable = *attributes;
  else
    pthread_attr_init(&joinable);
  pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
  fiber = Fiber{};
  fiber.stack = wanted_by(joinable);
  fiber.gone = 1;
  Order order{&fiber, live_in};
  const uint64_t all = ~uint64_t{0};
  uint64_t before = 0;
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
  const int error = real().pthread_create(&fiber.handle, attributes == nullptr ? nullptr : &joinable, begin, &order);
  if (error == 0) {
    await_departure(fiber);
    forget_core(fiber);
    share_heap_cache(fiber.handle);
  }
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, 0, sizeof before);
  if (attributes == nullptr) pthread_attr_destroy(&joinable);
  return error;
}

// libc takes a thread whose tid is zero for one that has ended.
void dissolve(Fiber& fiber) {
  *glibc::tid_word(fiber.handle) = 0;
  real().pthread_join(fiber.handle, nullptr);
  fiber.handle = 0;
}

}  // namespace snarl::runtime::fiber
