#include "runtime/reset/ready.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/resource.h>

#include "runtime/hooks/compiled_in.h"
#include "runtime/hooks/named.h"
#include "runtime/hooks/sanitizers.h"
#include "runtime/patch/apply.h"
#include "runtime/platform/cpu.h"
#include "runtime/platform/descriptors.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/run/fatal_signals.h"
#include "runtime/run/plugins.h"
#include "runtime/simulated/heap_key.h"
#include "runtime/state/refuse.h"
#include "runtime/state/state.h"
#include "runtime/trace/modules.h"
#include "runtime/truth/freed.h"
#include "runtime/truth/mutex_truth.h"
#include "runtime/watch/watchdog.h"

namespace snarl::runtime {
namespace {

void no_core_dumps() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
}

// The explorer asks for the opposite, which a container may forbid.
bool has_random_addresses() {
  constexpr unsigned long kAsk = 0xffffffff;
  if ((raw::call(SYS_personality, kAsk) & ADDR_NO_RANDOMIZE) != 0) return false;
  char setting = '\0';
  const long file = raw::call(SYS_open, "/proc/sys/kernel/randomize_va_space", O_RDONLY | O_CLOEXEC, 0);
  raw::call(SYS_read, file, &setting, 1);
  raw::call(SYS_close, file);
  return setting != '0';
}

}  // namespace

void pin(int cpu) { engine::shared->state.pinned_cpu = pin_to(cpu) ? static_cast<uint32_t>(cpu) + 1 : 0; }

void get_ready() {
  wire::State& state = engine::shared->state;
  state.version = wire::kWireVersion;
  if (!glibc::find_offsets())
    refuse("this C library does not tell where it keeps thread ids (glibc 2.34 or newer is needed)");
  load_plugins();
  list_modules();
  patch::begin();
  patch::begin_named();
  compiled_in::connect();
  note_outputs();
  look_who_locks_mutexes();
  look_who_frees();
  look_for_sanitizers();
  repeat_heap_key();
  catch_fatal_signals();
  watchdog::install();
  no_core_dumps();
  pin(engine::shared->options.cpu);
  state.random_addresses = has_random_addresses() ? 1 : 0;
  state.phase.store(wire::Phase::kReady, std::memory_order_release);
}

}  // namespace snarl::runtime
