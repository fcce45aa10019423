#include "runtime/fiber/fibers.h"

#include <errno.h>
#include <sys/prctl.h>

#include "base/anew.h"
#include "base/state_marks.h"
#include "runtime/fiber/heap_cache.h"
#include "runtime/fiber/pool.h"
#include "runtime/fiber/robust.h"
#include "runtime/fiber/signal_stacks.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/sanitizer_runtimes.h"
#include "runtime/platform/task.h"
#include "runtime/state/state.h"

namespace snarl::runtime::fibers {

SNARL_RUN_STATE Fiber* running = nullptr;
SNARL_RUN_STATE void (*asked)(Thread&) = nullptr;

namespace {

SNARL_RUN_STATE Fiber carrier;  // main's
SNARL_PROCESS_STATE char name_of_main[sizeof Thread::name];
SNARL_PROCESS_STATE bool has_looked;

void say(const char* why) {
  char(&text)[sizeof wire::OnFibers::obstacle] = engine::shared->state.on_fibers.obstacle;
  size_t i = 0;
  for (; i + 1 < sizeof text && why[i] != '\0'; ++i) text[i] = why[i];
  text[i] = '\0';
}

// Of this process; null if there is none.
const char* obstacle() {
  return has_tsan() ? "the program has ThreadSanitizer's runtime, which must see real threads" : nullptr;
}

// Each fiber makes a copy of the process slower, by some microseconds, used or not. So of threads that come one after
// the other only a few are prepared; those that earlier runs had at once all are.
uint32_t prepared_for(uint32_t threads, uint32_t at_once) {
  const uint32_t few = threads < kFewAtOnce ? threads : kFewAtOnce;
  return at_once > few ? at_once : few;
}

// On stacks of the default size, main included.
uint32_t usual_threads(const Profile& profile) {
  uint32_t others = 0;
  for (const OwnStacks& own : profile.own_stacks) others += own.threads;
  return others < profile.threads ? profile.threads - others : 1;
}

// What all runs of this process, and all its copies, have in common.
void look_once() {
  if (__builtin_expect(has_looked, 1)) return;
  has_looked = true;
  fiber::find_fs_access();
  fiber::find_heap_cache();
  raw::call(SYS_prctl, PR_GET_NAME, name_of_main);
}

}  // namespace

void begin(Thread& main) {
  if (const char* why = obstacle()) return say(why);
  look_once();
  make_anew(carrier);
  carrier.handle = main.handle;
  carrier.thread = &main;
  carrier.context.thread_pointer = main.handle;
  main.fiber = running = &carrier;
  raw::copy(main.name, name_of_main, sizeof main.name);
  fiber::masks_differ = false;
  under_way.on_fibers = true;
  fiber::begin();
  fiber::begin_signal_stacks();
}

bool is_carrier(const Fiber& fiber) { return &fiber == &carrier; }

void prepare() {
  const wire::Command& command = engine::shared->command;
  if (command.fibers == 0 || obstacle() != nullptr) return;
  look_once();
  const Profile& profile = command.key.profile;
  fiber::fill(prepared_for(usual_threads(profile), profile.at_once) - 1);
  for (const OwnStacks& own : profile.own_stacks) fiber::fill(own, prepared_for(own.threads, own.at_once));
}

void give_up(const char* why) {
  if (!under_way.on_fibers) return;
  say(why);
  engine::shared->state.on_fibers.given_up = 1;
  raw::exit_group(0);
}

void look_for_strangers() {
  if (under_way.on_fibers && engine::shared->command.settings.count && !task::is_alone())
    give_up("the program has OS threads that were not made by pthread_create");
}

int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes) {
  Fiber* fiber = nullptr;
  const int error = fiber::take(attributes, fiber);
  if (error != 0) return error;
  fiber->thread = &child;
  raw::copy(child.name, current->name, sizeof child.name);
  inherit_float_control(fiber->context);
  if (fiber::masks_differ) fiber->mask = fiber::own_mask();
  fiber::forget_signal_stack(*fiber);
  child.fiber = fiber;
  child.tid = static_cast<int>(fiber::kFirstTid + child.ordinal);
  *glibc::tid_word(fiber->handle) = static_cast<uint32_t>(child.tid);
  *glibc::cancel_word(fiber->handle) = 0;  // it may be cancelled before it begins
  child.handle = *handle = fiber->handle;
  return 0;
}

int set_name(Thread& thread, const char* name) {
  size_t length = 0;
  while (name[length] != '\0' && length < sizeof thread.name) ++length;
  if (length == sizeof thread.name) return ERANGE;
  raw::fill(thread.name, 0, sizeof thread.name);
  raw::copy(thread.name, name, length);
  if (thread.fiber == &carrier) raw::call(SYS_prctl, PR_SET_NAME, thread.name);
  return 0;
}

int join(Thread& ended, void** result) {
  if (__builtin_expect(result != nullptr, 0)) *result = ended.result;
  fiber::give_back(*ended.fiber);
  return 0;
}

int detach(Thread& thread, bool ended) {
  if (ended) fiber::give_back(*thread.fiber);
  return 0;
}

void retire(Thread& self) {
  Fiber& fiber = *self.fiber;
  if (&fiber != &carrier) {
    fiber::abandon_robust_mutexes(fiber);
    if (engine::conductor().model().is_detached(self.id)) {
      self.joinable_handle = false;
      fiber::give_back(fiber);
    }
  }
  if (fiber::masks_differ) fiber::swap_masks(fiber, *running);
}

// It is somewhere in wait(), or has not begun and comes there at once.
void ask(Thread& of, void (*what)(Thread&)) {
  asked = what;
  fiber::switch_context(running->context, of.fiber->context);
  asked = nullptr;
}

void answer(Thread& self) {
  Inside inside(self);  // the unwinder has locks of its own
  asked(self);
}

}  // namespace snarl::runtime::fibers
