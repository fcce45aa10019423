#include "explore/doctor/observe.h"

#include <linux/audit.h>
#include <sys/ptrace.h>

#include <algorithm>
#include <set>

#include "explore/doctor/tracer.h"
#include "explore/target/code_map.h"
#include "os/remote_memory.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr size_t kMostEffects = 200;

class Watch final : public Tracer {
 public:
  explicit Watch(Observation& seen) : seen_(seen) {}

 private:
  bool sees_calls() const override { return true; }
  void at_exec(pid_t pid) override {
    if (pid == main()) own_.insert(pid), map_.forget();
  }

  // A thread of the program's own process, or a process that it started.
  void at_birth(pid_t parent, pid_t child, int event) override {
    if (event != PTRACE_EVENT_CLONE || !own_.contains(parent)) return;
    own_.insert(child);
    ++seen_.threads;
  }

  void at_call(pid_t pid) override {
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || info.arch != AUDIT_ARCH_X86_64) return;
    census::Call call{info.entry.nr, {}};
    std::copy_n(info.entry.args, call.arguments.size(), call.arguments.begin());
    const auto read = [pid](uint64_t address, size_t size) { return os::read_memory(pid, address, size); };
    if (const auto effect = side_effect_of(call, main(), read)) note(*effect);
    if (own_.contains(pid)) note_origin(call.number, map_.owner(main(), info.instruction_pointer));
  }

  void note(const SideEffect& effect) {
    for (Observation::Effect& known : seen_.effects)
      if (known.effect.kind == effect.kind && known.effect.what == effect.what) return void(++known.times);
    if (seen_.effects.size() < kMostEffects)
      seen_.effects.push_back({effect, 1});
    else
      ++seen_.more_effects;
  }

  void note_origin(uint64_t number, const std::string& module) {
    if (module.empty()) return;
    for (Observation::InlineCall& known : seen_.inline_calls)
      if (known.module == module && known.number == number) return void(++known.times);
    seen_.inline_calls.push_back({module, number, 1});
  }

  Observation& seen_;
  std::set<pid_t> own_;  // tasks of the program's own process
  CodeMap map_;
};

}  // namespace

Observation observe(const Setup& setup, os::Guard& guard, double seconds, int stop_fd) {
  Observation seen;
  const double began = os::now_seconds();
  const Expected<std::optional<int>> ended = Watch(seen).run(setup, guard, Stop(stop_fd, began + seconds));
  if (!ended) {
    seen.could_not = ended.error().message;
    return seen;
  }
  seen.ended = ended->has_value();
  seen.status = ended->value_or(0);
  seen.seconds = os::now_seconds() - began;
  return seen;
}

}  // namespace snarl::explore
