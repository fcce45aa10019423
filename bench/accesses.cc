// What hooks at memory accesses cost: alone, with the countdown under control, and against the same program built
// natively and with the compiler's own ThreadSanitizer, all in one run; and what a point at a shared access costs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kAlone = 1.3, kCountdown = 1.5;  // ns per access on top of native
constexpr int kTimes = 3;

using Kernels = std::map<std::string, double>;  // nanoseconds

void keep_best(Kernels& best, const std::string& lines) {
  std::istringstream text(lines);
  std::string name;
  for (double nanoseconds; text >> name >> nanoseconds;)
    best[name] = best.contains(name) ? std::min(best[name], nanoseconds) : nanoseconds;
}

struct Measured {
  Kernels native, alone, countdown, unshared, tsan, accesses;
};

// The programs take turns, so that what else runs on the machine hits them alike.
Measured measure(const std::string& program) {
  Measured all;
  const std::string once = "run --once --steps 0 -p pct:depth=2 --points ";
  keep_best(all.accesses, answer_of(program + "_counting").text);
  for (int i = 0; i < kTimes; ++i) {
    keep_best(all.native, answer_of(program).text);
    keep_best(all.alone, answer_of(program + "_snarl").text);
    keep_best(all.tsan, answer_of(program + "_tsan").text);
    keep_best(all.countdown, snarl(once + "memory:all", program + "_snarl").text);
    keep_best(all.unshared, snarl(once + "memory", program + "_snarl").text);
  }
  return all;
}

bool is_complete(const Measured& all) {
  for (const Kernels* part : {&all.native, &all.alone, &all.countdown, &all.unshared, &all.tsan, &all.accesses})
    if (part->size() != 4) return false;
  return true;
}

void compare(const std::string& compiler) {
  const Measured all = measure("bench_accesses_" + compiler);
  if (!is_complete(all)) return failed("memory hooks, " + compiler);
  for (const auto& [name, native] : all.native) {
    const auto each = [&, &kernel = name, base = native](const Kernels& of) { return (of.at(kernel) - base) / all.accesses.at(kernel); };
    const auto hook = [&](const char* how, const Kernels& of, double limit) {
      row(fmt::format("memory hook, {}, {}, {}", compiler, name, how), fmt::format("{:.2f} ns per access", each(of)),
          fmt::format("<= {} ns", limit), each(of) / limit);
    };
    hook("without the tool", all.alone, kAlone);
    hook("no point", all.unshared, kCountdown);
    hook("countdown", all.countdown, kCountdown);
    const double worst = std::max(each(all.countdown), each(all.unshared)) / each(all.tsan);
    row(fmt::format("  of what the compiler's own TSan adds ({:.2f} ns)", each(all.tsan)), fmt::format("{:.2f}", worst), "<= 1", worst);
  }
}

void measure_shared(const char* policy, double least) {
  double best = 1e18;
  for (int i = 0; i < kTimes; ++i) {
    const Output run = snarl(fmt::format("run --points memory:all --once --steps 0 --switching fibers -p {}", policy),
                             "bench_accesses_gcc_snarl", "shared");
    if (!run.text.empty()) best = std::min(best, std::stod(run.text));
  }
  if (best == 1e18) return failed("points at shared accesses");
  row(fmt::format("points at shared accesses, {}, fibers", policy), fmt::format("{:.1f} M per second", 1e3 / best),
      fmt::format(">= {:g} M", least), least * best / 1e3);
}

double nanoseconds_in(const Output& output) { return output.text.empty() ? 1e18 : std::stod(output.text); }

// Two threads that take turns with a mutex: with hooks at all accesses and no tool, and as they like under snarl.
void measure_mutex() {
  double native = 1e18, alone = 1e18, under = 1e18;
  for (int i = 0; i < 3 * kTimes; ++i) {
    native = std::min(native, nanoseconds_in(answer_of("bench_accesses_gcc", "mutex")));
    alone = std::min(alone, nanoseconds_in(answer_of("bench_accesses_gcc_snarl", "mutex")));
    under = std::min(under, nanoseconds_in(snarl("run --once --steps 0 -p none --points memory", "bench_accesses_gcc_snarl", "mutex")));
  }
  if (std::max({native, alone, under}) == 1e18) return failed("mutex ping-pong");
  const auto ratio = [&](const char* how, double time) {
    row(fmt::format("mutex ping-pong with hooks, {}", how), fmt::format("{:.2f}x ({:.1f} / {:.1f} ms)", time / native, time / 1e6, native / 1e6),
        "<= 1.2x", time / native / 1.2);
  };
  ratio("without the tool", alone);
  ratio("policy none", under);
}

}  // namespace

void measure_accesses() {
  for (const char* compiler : {"gcc", "clang"}) compare(compiler);
  measure_shared("pct:depth=2", 100);
  measure_shared("random", 8);
  measure_mutex();
}

}  // namespace snarl::bench
