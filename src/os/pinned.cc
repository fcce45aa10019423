#include "os/pinned.h"

namespace snarl::os {
namespace {

thread_local std::optional<cpu_set_t> before;  // none: not pinned

}  // namespace

Pinned::Pinned(int cpu) {
  cpu_set_t all, one;
  if (before || cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0) return;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  done_ = sched_setaffinity(0, sizeof one, &one) == 0;
  if (done_) before = all;
}

Pinned::~Pinned() {
  if (!done_) return;
  sched_setaffinity(0, sizeof *before, &*before);
  before.reset();
}

std::optional<cpu_set_t> Pinned::cores_otherwise() { return before; }

}  // namespace snarl::os
