// The program runs pinned to one core and must not notice: it may size its thread pool by
// the number of cores, and undo the pinning by setting an affinity of its own.
#include "runtime/platform/cpu.h"

#include <unistd.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE cpu_set_t original;
SNARL_PROCESS_STATE bool pinned;

int copy_original(size_t size, cpu_set_t* mask) {
  if (size < sizeof original) return EINVAL;
  raw::fill(mask, 0, size);
  raw::copy(mask, &original, sizeof original);
  return 0;
}

}  // namespace

bool pin_to(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
  if (real().sched_getaffinity(0, sizeof original, &original) != 0) return false;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  pinned = real().sched_setaffinity(0, sizeof one, &one) == 0;
  return pinned;
}

void unpin() {
  if (pinned) real().sched_setaffinity(0, sizeof original, &original);
  pinned = false;
}

SNARL_HOOK int sched_getaffinity(pid_t process, size_t size, cpu_set_t* mask) noexcept {
  if (!pinned || copy_original(size, mask) != 0) return real().sched_getaffinity(process, size, mask);
  return 0;
}

SNARL_HOOK int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* mask) noexcept {
  if (!pinned || copy_original(size, mask) != 0) return real().pthread_getaffinity_np(thread, size, mask);
  return 0;
}

SNARL_HOOK int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* mask) noexcept {
  return pinned ? 0 : real().sched_setaffinity(process, size, mask);
}

SNARL_HOOK int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* mask) noexcept {
  return pinned ? 0 : real().pthread_setaffinity_np(thread, size, mask);
}

SNARL_HOOK int get_nprocs() noexcept { return pinned ? CPU_COUNT(&original) : real().get_nprocs(); }

SNARL_HOOK long sysconf(int name) noexcept {
  return pinned && name == _SC_NPROCESSORS_ONLN ? CPU_COUNT(&original) : real().sysconf(name);
}

}  // namespace snarl::runtime
