// A program that speaks the wire protocol by itself, for tests of the explorer without the runtime.
// What a run does stands in argv[1]: ok, exit, abort, hang, flood, kill, trash, daemon, assert, deadlock, cores_N,
// work, scans, or one of the ways a fork server can fail: die_at_once, killed_at_once,
// never_ready, no_answer, slow_start, slow_fail.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "base/hash.h"
#include "wire/layout.h"

namespace {

using namespace snarl;

void write_outcome(wire::Layout& layout, OutcomeKind kind) {
  layout.state.outcome = kind;
  layout.state.phase = wire::Phase::kEnded;
}

void flood() {
  const std::string line(1000, 'x');
  for (int i = 0; i < 1000; ++i) std::puts(line.c_str());
  std::puts("the end");
}

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

// For a fifth of a second, on the last core.
void work() {
  cpu_set_t all, last;
  CPU_ZERO(&all);
  CPU_ZERO(&last);
  sched_getaffinity(0, sizeof all, &all);
  for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&last) == 0; --i)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &last);
  sched_setaffinity(0, sizeof last, &last);
  while (std::clock() < CLOCKS_PER_SEC / 5) {
  }
}

[[noreturn]] void run(wire::Layout& layout, const std::string& what) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  wire::State& state = layout.state;
  state.outcome = OutcomeKind::kNone;
  state.run = layout.command.run;
  state.phase = wire::Phase::kRunning;
  state.created = 2;
  state.steps = 10 + layout.command.key.index % 7;
  state.switches = state.decisions = 1;
  state.decision_hash = mix64(layout.command.key.index) ^ layout.command.key.profile.steps;
  layout.decisions[0] = {.step = 1, .from = 0, .to = 1};
  state.misuses = 0;
  if (what == "misuse") {
    layout.misuses[0] = {.what = {.kind = MisuseKind::kUnlockNotOwner, .op = OpKind::kUnlock, .pc = 1}};
    layout.misuses[1] = {.what = {.kind = MisuseKind::kExitHolding, .op = OpKind::kEndProcess, .pc = 1}};
    state.misuses = 2;
  }
  std::printf("run %lu\n", static_cast<unsigned long>(layout.command.key.index));
  if (what == "exit") std::exit(3);
  if (what == "fail_at_5" && layout.command.key.index >= 5) std::exit(7);
  if (what == "abort") std::abort();
  if (what == "hang") pause();
  if (what == "flood") flood();
  if (what == "kill") raise(SIGKILL);
  if (what == "kill_first" && access("/tmp/snarl-kill-first", F_OK) == 0)
    unlink("/tmp/snarl-kill-first"), raise(SIGKILL);
  if (what == "trash") std::memset(static_cast<void*>(&state), 0xff, sizeof state);
  if (what == "daemon" && fork() == 0) setsid(), pause();
  if (what == "child" && fork() == 0) pause();
  if (what == "assert") std::strcpy(state.message, "x > 0"), write_outcome(layout, OutcomeKind::kAssert), std::abort();
  if (what == "deadlock") write_outcome(layout, OutcomeKind::kDeadlock), std::exit(0);
  if (what.starts_with("cores_")) std::exit(cores() == std::atoi(what.c_str() + 6) ? 0 : 3);
  if (what == "work") work();
  if (what == "scans") state.scanning = 1, usleep(1'000'000), state.scanning = 0;
  if (what == "slow_fail" && layout.command.key.index >= 5) std::exit(7);
  if (what == "internal") std::fputs("snarl: internal error: x\n", stderr), std::exit(125);
  std::exit(0);
}

void serve(wire::Layout& layout, int control, const std::string& what) {
  wire::Request request;
  while (recv(control, &request, sizeof request, 0) == sizeof request) {
    const long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) run(layout, what);
    const wire::Reply reply{pid};
    send(control, &reply, sizeof reply, MSG_NOSIGNAL);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "ok";
  const char* variable = std::getenv(snarl::wire::kEnvironment);
  int memory = -1, control = -1;
  if (variable == nullptr || std::sscanf(variable, "%d,%d", &memory, &control) != 2) return what == "ok" ? 0 : 9;
  void* mapped = mmap(nullptr, sizeof(snarl::wire::Layout), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapped == MAP_FAILED) return 8;
  auto& layout = *static_cast<snarl::wire::Layout*>(mapped);
  if (what == "die_at_once") return std::fputs("cannot load libfoo.so\n", stderr), 127;
  if (what == "killed_at_once") raise(SIGKILL);
  if (what == "never_ready") pause();
  if (what == "slow_start" || what == "slow_fail") usleep(2'600'000);
  layout.state.version = snarl::wire::kWireVersion;
  layout.state.phase = snarl::wire::Phase::kReady;
  if (control < 0) run(layout, what);
  serve(layout, control, what);
  return 0;
}
