// How the runtime comes to life: loaded by LD_PRELOAD, told by SNARL_WIRE where the wire
// is, and in control from main on. Without SNARL_WIRE it does nothing at all.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/parallel/run.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/task.h"
#include "runtime/platform/text.h"
#include "runtime/reset/binding.h"
#include "runtime/reset/fork_server.h"
#include "runtime/reset/learning.h"
#include "runtime/reset/ready.h"
#include "runtime/reset/rewind.h"
#include "runtime/run/begin.h"
#include "runtime/run/lifecycle.h"
#include "runtime/simulated/heap_key.h"
#include "runtime/state/hook.h"
#include "runtime/state/refuse.h"
#include "runtime/state/signal_stack.h"
#include "runtime/state/state.h"
#include "runtime/state/thread_end.h"
#include "wire/learned_pages.h"

namespace snarl::runtime {
namespace {

constexpr const char* kPreload = "LD_PRELOAD=";

SNARL_PROCESS_STATE int control = -1;
SNARL_PROCESS_STATE int (*program_main)(int, char**, char**);

int read_number(const char*& text) {
  const bool negative = *text == '-';
  if (negative) ++text;
  int value = 0;
  while (*text >= '0' && *text <= '9') value = value * 10 + (*text++ - '0');
  return negative ? -value : value;
}

// Takes our own file out of a list of preloaded ones, in place.
void remove_ourselves(char* list) {
  char* to = list;
  for (char* from = list; *from != '\0';) {
    char* end = from;
    bool ours = false;
    for (; *end != '\0' && *end != ':' && *end != ' '; ++end) ours |= begins_with(end, "libsnarl_rt");
    if (!ours) {
      if (to != list) *to++ = ':';
      while (from != end) *to++ = *from++;
    }
    from = *end == '\0' ? end : end + 1;
  }
  *to = '\0';
}

// The program's own children must not be controlled: its environment is what it would be without us.
void clean_environment() {
  char** to = environ;
  for (char** from = environ; *from != nullptr; ++from) {
    if (begins_with(*from, wire::kEnvironment)) continue;
    if (begins_with(*from, kPreload)) {
      char* list = *from + sizeof "LD_PRELOAD=" - 1;
      remove_ourselves(list);
      if (*list == '\0') continue;
    }
    *to++ = *from;
  }
  *to = nullptr;
}

wire::Layout* map_wire(int memory) {
  void* at = mmap(nullptr, sizeof(wire::Whole), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  close(memory);
  if (at == MAP_FAILED) return nullptr;
  auto* layout = static_cast<wire::Layout*>(at);
  const bool fits =
      layout->magic == wire::kMagic && layout->version == wire::kWireVersion && layout->size == sizeof(wire::Whole);
  return fits ? layout : nullptr;
}

void attach() {
  const char* where = getenv(wire::kEnvironment);
  if (where == nullptr) return;
  const int memory = read_number(where);
  if (*where == ',') ++where;
  control = read_number(where);
  engine::shared = map_wire(memory);
  clean_environment();
}

struct MainArguments {
  int argc;
  char** argv;
  char** environment;
};

void* call_main(void* data) {
  const auto* arguments = static_cast<MainArguments*>(data);
  exit(program_main(arguments->argc, arguments->argv, arguments->environment));
}

// Only pthread_exit in main comes back here: this OS thread ends, the others go on.
int controlled_main(int argc, char** argv, char** environment) {
  repeat_guards();
  get_ready();
  const wire::Reset reset = engine::shared->options.reset;
  const bool serves = reset == wire::Reset::kFork, rewinds = reset == wire::Reset::kRewind;
  const bool misses_threads = serves && !task::is_alone();  // a library's constructor may have made some
  if ((serves && !misses_threads) || rewinds) bind_calls();
  rewinds ? rewind::serve(control) : serves ? serve(control) : fibers::prepare();
  engine::begin_run();
  if (misses_threads)
    refuse(
        "the program has threads before main (a library's constructor makes them), which a fork server can't copy; "
        "with --reset exec they run, without control");
  Thread& self = *current;
  give_signal_stack(self);
  MainArguments arguments{argc, argv, environment};
  run_to_end(self, call_main, &arguments);
  run_destructors(self);
  runs_in_parallel() ? parallel::leave(self) : engine::leave(self);
  if (under_way.on_fibers) fibers::leave(self);
  for (;;) raw::call(SYS_exit, 0);
}

}  // namespace

// Constructors of the program's libraries may run before ours: whoever needs us first calls this.
void load_runtime() {
  SNARL_PROCESS_STATE static bool loaded = false;
  if (loaded) return;
  loaded = true;
  resolve_real();
  attach();
}

__attribute__((constructor)) static void on_load() { load_runtime(); }

SNARL_HOOK int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                 void (*fini)(), void (*loader_fini)(), void* stack_end) {
  if (engine::shared == nullptr) return real().__libc_start_main(main, argc, argv, init, fini, loader_fini, stack_end);
  program_main = main;
  learning::watch_end();
  return real().__libc_start_main(controlled_main, argc, argv, init, fini, loader_fini, stack_end);
}

}  // namespace snarl::runtime
