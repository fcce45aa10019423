#include "runtime/parallel/cores.h"

#include <errno.h>
#include <sched.h>

#include "base/state_marks.h"
#include "runtime/parallel/desk.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/threads.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::parallel {
namespace {

SNARL_RUN_STATE cpu_set_t all, one;
SNARL_RUN_STATE bool is_gathered, was_ever;
SNARL_RUN_STATE bool hands_off;  // the program has chosen cores itself

// A thread that has not started yet has no number, and comes to join_others().
void move_all(const cpu_set_t& to) {
  for_each_thread([&to](const Member& member) {
    if (const int tid = member.thread->tid) raw::call(SYS_sched_setaffinity, tid, sizeof to, &to);
  });
}

// From now on the program's masks hold.
void keep_off() {
  Thread* self = me();
  if (self == nullptr || __atomic_load_n(&hands_off, __ATOMIC_RELAXED)) return;
  Desk desk(*self);
  desk.use_all_cores();
  __atomic_store_n(&hands_off, true, __ATOMIC_RELAXED);
}

bool shows_one_core(size_t size) { return __atomic_load_n(&is_gathered, __ATOMIC_RELAXED) && size >= sizeof all; }

int show_all(size_t size, cpu_set_t* mask) {
  raw::fill(mask, 0, size);
  raw::copy(mask, &all, sizeof all);
  return 0;
}

int get_affinity(pid_t process, size_t size, cpu_set_t* mask) {
  return shows_one_core(size) ? show_all(size, mask) : libc().sched_getaffinity(process, size, mask);
}

int get_thread_affinity(pthread_t thread, size_t size, cpu_set_t* mask) {
  return shows_one_core(size) ? show_all(size, mask) : libc().pthread_getaffinity_np(thread, size, mask);
}

int set_affinity(pid_t process, size_t size, const cpu_set_t* mask) {
  keep_off();
  return libc().sched_setaffinity(process, size, mask);
}

int set_thread_affinity(pthread_t thread, size_t size, const cpu_set_t* mask) {
  keep_off();
  return libc().pthread_setaffinity_np(thread, size, mask);
}

}  // namespace

void begin_cores() { hands_off = libc().sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) == 1; }

bool gather() {
  unsigned core = 0;
  if (hands_off || raw::call(SYS_getcpu, &core, nullptr, nullptr) != 0 || core >= CPU_SETSIZE) return false;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  was_ever = true;
  __atomic_store_n(&is_gathered, true, __ATOMIC_RELAXED);
  move_all(one);
  return true;
}

void scatter() {
  __atomic_store_n(&is_gathered, false, __ATOMIC_RELAXED);
  move_all(all);
}

void join_others(Thread& self) {
  Desk desk(self);
  if (!was_ever || hands_off) return;
  const cpu_set_t& mine = is_gathered ? one : all;
  raw::call(SYS_sched_setaffinity, 0, sizeof mine, &mine);
}

void install_cores(Real& table) {
  table.sched_getaffinity = get_affinity;
  table.pthread_getaffinity_np = get_thread_affinity;
  table.sched_setaffinity = set_affinity;
  table.pthread_setaffinity_np = set_thread_affinity;
}

}  // namespace snarl::runtime::parallel
