// The end of the process.
#include <stdlib.h>
#include <unistd.h>

#include "runtime/fiber/fibers.h"
#include "runtime/run/ending.h"
#include "runtime/run/point.h"
#include "runtime/state/hook.h"
#include "runtime/state/refuse.h"
#include "runtime/state/thread_end.h"
#include "runtime/truth/misuse.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

// The last point of the run: other threads may still do something before it.
void end_point(int code, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return;
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kEndProcess, .pc = pc});
  fibers::look_for_strangers();
  engine::shared->state.exit_code = code;
  note_held_at_exit(*self, pc);
  if (code != 0) write_threads(*self);
}

}  // namespace

// Exit handlers and static destructors are the program's code: their calls are points.
SNARL_HOOK void exit(int code) noexcept {
  end_point(code, SNARL_PC);
  if (Thread* self = current) run_tls_destructors(*self);
  real().exit(code);
  __builtin_unreachable();
}

SNARL_HOOK void _exit(int code) {
  end_point(code, SNARL_PC);
  real()._exit(code);
  __builtin_unreachable();
}

SNARL_HOOK void _Exit(int code) noexcept {
  end_point(code, SNARL_PC);
  real()._Exit(code);
  __builtin_unreachable();
}

SNARL_HOOK void quick_exit(int code) noexcept {
  end_point(code, SNARL_PC);
  real().quick_exit(code);
  __builtin_unreachable();
}

SNARL_HOOK void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (current != nullptr) set_assertion(expression, file, line, function);
  real().__assert_fail(expression, file, line, function);
  __builtin_unreachable();
}

// ASan is about to report, under a lock of its own: nobody else runs from here to the end.
SNARL_HOOK void __asan_on_error() {
  if (Thread* self = current) {
    ++self->inside;
    engine::shared->state.on_fibers.waits = 1;  // it may ask another process for names
    write_threads(*self);
  }
}

SNARL_HOOK void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) noexcept {
  if (current != nullptr) set_assertion("unexpected error", file, line, function);
  real().__assert_perror_fail(error, file, line, function);
  __builtin_unreachable();
}

}  // namespace snarl::runtime
