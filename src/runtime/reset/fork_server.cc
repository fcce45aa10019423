#include "runtime/reset/fork_server.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/fiber/pool.h"
#include "runtime/platform/fresh_areas.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/copy.h"
#include "runtime/reset/learning.h"
#include "runtime/reset/shared_memory.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

bool is_input_a_file() {
  struct stat status;
  return raw::call(SYS_fstat, 0, &status) == 0 && S_ISREG(status.st_mode);
}

// It must be read from its start in every run.
void reopen_input() {
  const long file = raw::call(SYS_open, "/proc/self/fd/0", O_RDONLY, 0);
  if (file < 0) return;
  raw::call(SYS_dup2, file, 0);
  raw::call(SYS_close, file);
}

// Nobody writes to them here.
void keep_prepared_stacks() {
  SNARL_PROCESS_STATE static uint32_t kept = 0;
  if (kept == fiber::count()) return;
  kept = fiber::count();
  fresh_areas::forget();
  for (uint32_t i = 0; i < kept; ++i) {
    const Fiber& fiber = fiber::nth(i);
    if (fiber.begin == 0) continue;
    const size_t guard = fiber.stack.guard_size;
    fresh_areas::add({fiber.begin, fiber.begin + guard + fiber.stack.size, guard});
  }
  fresh_areas::keep();
}

void become_run(int control, bool has_input) {
  learning::in_copy();
  fresh_areas::renew();
  shared_memory::make_own();
  stand_alone();
  raw::call(SYS_close, control);
  if (has_input) reopen_input();
}

}  // namespace

void serve(int control) {
  const bool has_input = is_input_a_file();
  shared_memory::list();
  for (uint64_t copies = 1;; ++copies) {
    wire::Request request;
    const long got = raw::call(SYS_read, control, &request, sizeof request);
    if (got == -4 /* EINTR */) continue;
    if (got != sizeof request) raw::exit_group(0);
    fibers::prepare();
    keep_prepared_stacks();
    learning::before_copy(copies);
    const long pid = copy_process();
    if (pid == 0) return become_run(control, has_input);
    const wire::Reply reply{pid};
    raw::call(SYS_write, control, &reply, sizeof reply);
  }
}

}  // namespace snarl::runtime
