#include "runtime/reset/rewind.h"

#include <signal.h>
#include <sys/mman.h>

#include <new>

#include "base/state_marks.h"
#include "runtime/fiber/context.h"
#include "runtime/fiber/fibers.h"
#include "runtime/memory/known_places.h"
#include "runtime/memory/sharing.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/sanitizer_runtimes.h"
#include "runtime/platform/task.h"
#include "runtime/platform/text.h"
#include "runtime/reset/rewound_calls.h"
#include "runtime/reset/rewound_kernel.h"
#include "runtime/reset/rewound_memory.h"
#include "runtime/reset/rewound_output.h"
#include "runtime/reset/rewound_series.h"
#include "runtime/state/refuse.h"
#include "runtime/state/state.h"

namespace snarl::runtime::rewind {
namespace {

// All that is not put back.
struct Apart {
  fiber::Context program = {}, server = {};
  RewoundMemory memory;
  RewoundKernel kernel = {};
  RewoundOutput output;
  RewoundSeries series;
  int control = -1;
  int exit_code = 0;  // of the run that has ended
  bool in_run = false;
  char stack[64 << 10];
};
SNARL_PROCESS_STATE Apart* apart = nullptr;

// Below all that is mapped otherwise: where the program's own mappings come is not to depend on it.
constexpr uint64_t kPlace = uint64_t{1} << 45, kPlaceOfPages = kPlace + (uint64_t{1} << 30);

// It is the end of this process, and of the run if one is under way.
[[noreturn]] void give_up(const char* what, const char* detail = nullptr) {
  TextWriter text(engine::shared->state.rewind_obstacle);
  text << what;
  if (detail != nullptr) text << "(" << detail << ")";
  raw::exit_group(0);
}

char* map_at(uint64_t place, uint64_t size) {
  constexpr int kExactly = MAP_FIXED_NOREPLACE;
  const long at = raw::call(SYS_mmap, place, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | kExactly, -1, 0);
  if (static_cast<uint64_t>(at) != place) give_up("there is no room for what it was at main");
  return reinterpret_cast<char*>(at);
}

void await_orders() {
  for (;;) {
    wire::Request request;
    const long got = raw::call(SYS_read, apart->control, &request, sizeof request);
    if (got == sizeof request) return apart->series.begin();
    if (got != -4 /* EINTR */) raw::exit_group(0);
  }
}

void tell_end() {
  const wire::Reply reply{raw::call(SYS_getpid)};
  raw::call(SYS_write, apart->control, &reply, sizeof reply);
}

// Wherever it is: in a handler, on the stack of some thread. Nobody stops it from here on.
[[noreturn]] void end_run(int exit_code) {
  const uint64_t meanwhile = uint64_t{1} << (wire::kWayGivingSignal - 1);
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, &meanwhile, 0, sizeof meanwhile);
  apart->exit_code = exit_code;
  apart->in_run = false;
  fiber::Context nowhere;
  fiber::switch_context(nowhere, apart->server);
  __builtin_unreachable();
}

// The runtime would end the process: what it found stands in the wire. If we are not in a run, we are what failed.
void take_over() {
  if (!apart->in_run) raw::exit_group(0);
  end_run(0);
}

// Its runs are over. Has one of them written where none had before, or left anything else?
void end_series(Apart& own) {
  const long unknown = own.memory.find_unknown();
  if (unknown < 0) give_up("the kernel does not find the pages that a run has written any more");
  if (const char* why = own.kernel.find_rest()) give_up(why);
  own.series.end(unknown);
  tell_end();
  await_orders();
}

// Not inlined: what follows a switch is reached through a register, and a scanner that follows jumps would see no way
// in.
[[gnu::noinline]] void make_new(Apart& own) {
  own.series.note_end(own.exit_code, own.output.hash());
  own.memory.put_back();
  if (const char* why = own.kernel.put_back()) give_up(why);
  if (!own.series.continues()) end_series(own);
  own.series.begin_run();
  own.output.begin();
  own.in_run = true;
}

// On a stack of its own, in memory that is not put back.
[[noreturn]] void rewind_for_ever() {
  Apart& own = *apart;
  char* room = reinterpret_cast<char*>(kPlaceOfPages);
  if (const char* why = own.memory.keep(room)) give_up(why);
  for (;;) {
    fiber::switch_context(own.server, own.program);
    make_new(own);
  }
}

const char* obstacle() {
  if (engine::shared->command.fibers == 0) return "its threads are not on fibers";
  if (has_asan() || has_tsan()) return "the program has a sanitizer's runtime";
  if (!task::is_alone()) return "the program has threads before main";
  return nullptr;
}

void get_ready() {
  Apart& own = *apart;
  const auto shadow = reinterpret_cast<uint64_t>(sharing::owners());
  if (const char* why = own.memory.begin(own.control, {shadow, shadow + sharing::shadow_size()})) give_up(why);
  map_at(kPlaceOfPages, own.memory.pages() * (RewoundMemory::kPage + sizeof(uint64_t)));
  own.kernel.begin();
  const rewound_calls::Listener listener{&own.kernel, &own.output, end_run,
                                         [](const char* call, const char* path) { give_up(call, path); }};
  if (const char* why = rewound_calls::begin(listener)) give_up(why);
  takes_over = take_over;
  own.server.stack_pointer = reinterpret_cast<uint64_t>(own.stack + sizeof own.stack - 72) & ~uint64_t{15};
  own.server.stack_pointer -= 8;  // as after a call
  own.server.resume = reinterpret_cast<uint64_t>(rewind_for_ever);
  own.server.thread_pointer = own.program.thread_pointer = pthread_self();
  fiber::inherit_float_control(own.server);
}

}  // namespace

void serve(int control) {
  apart = new (map_at(kPlace, sizeof(Apart))) Apart();
  apart->control = control;
  await_orders();
  known_places::prepare();
  apart->series.begin_run();
  apart->output.begin();
  if (const char* why = obstacle()) give_up(why);
  fibers::prepare();
  get_ready();
  apart->in_run = true;
  fiber::switch_context(apart->program, apart->server);
}

}  // namespace snarl::runtime::rewind
