#include "runtime/fiber/fibers.h"

#include <dlfcn.h>

#include "runtime/ending.h"
#include "runtime/engine.h"
#include "runtime/fiber/pool.h"
#include "runtime/fiber/robust.h"
#include "runtime/glibc.h"

namespace snarl::fibers {

bool on = false;
Fiber* running = nullptr;
bool asks = false;

namespace {

Fiber carrier;  // main's

constexpr uint32_t kMostPrepared = 64;  // mappings make a copy of the process slower, used or not

}  // namespace

const char* obstacle() {
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return "the program has ThreadSanitizer's runtime, which must see real threads";
  return nullptr;
}

void begin(Thread& main) {
  fiber::find_fs_access();
  carrier = Fiber{};
  carrier.handle = main.handle;
  carrier.thread = &main;
  carrier.context.thread_pointer = main.handle;
  main.fiber = running = &carrier;
  on = true;
}

void prepare(uint32_t wanted) {
  if (obstacle() == nullptr) fiber::fill(wanted < kMostPrepared ? wanted : kMostPrepared);
}

int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes) {
  Fiber* fiber = nullptr;
  const int error = fiber::take(attributes, fiber);
  if (error != 0) return error;
  fiber->thread = &child;
  inherit_float_control(fiber->context);
  child.fiber = fiber;
  child.tid = static_cast<int>(fiber::kFirstTid + child.ordinal);
  *glibc::tid_word(fiber->handle) = static_cast<uint32_t>(child.tid);
  child.handle = *handle = fiber->handle;
  engine::shared->state.on_fibers.most = fiber::most_used();
  return 0;
}

int join(Thread& ended, void** result) {
  if (result != nullptr) *result = ended.result;
  fiber::give_back(*ended.fiber);
  return 0;
}

int detach(Thread& thread, bool ended) {
  if (ended) fiber::give_back(*thread.fiber);
  return 0;
}

void leave(Thread& self) {
  Fiber& fiber = *self.fiber;
  if (&fiber != &carrier) {
    fiber::abandon_robust_mutexes(fiber);
    if (engine::conductor().model().is_detached(self.id)) {
      self.joinable_handle = false;
      fiber::give_back(fiber);
    }
  }
  fiber::snarl_fiber_switch(&fiber.context, &running->context);
}

// It is somewhere in wait(), or has not begun and comes there at once.
void ask_for_stack(Thread& of) {
  asks = true;
  fiber::snarl_fiber_switch(&running->context, &of.fiber->context);
  asks = false;
}

void write_stack_of(Thread& self) {
  Inside inside(self);  // the unwinder has locks of its own
  write_own_stack(self);
}

}  // namespace snarl::fibers
