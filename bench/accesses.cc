// What hooks at memory accesses cost: alone, with the countdown under control, and against the same program built
// natively and with the compiler's own ThreadSanitizer, all in one run; and what a point at a shared access costs.
#include <fmt/format.h>

#include <algorithm>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kAlone = 1.3, kCountdown = 1.5;  // ns per access on top of native
constexpr int kTimes = 3;

struct Measured {  // nanoseconds by kernel
  Smallest native, alone, countdown, unshared, tsan, accesses;
};

// The programs take turns, so that what else runs on the machine hits them alike.
Measured measure(const std::string& program) {
  Measured all;
  const std::string once = "run --once --steps 0 -p pct:depth=2 --points ";
  keep_smallest(all.accesses, answer_of(program + "_counting").text);
  for (int i = 0; i < kTimes; ++i) {
    keep_smallest(all.native, answer_of(program).text);
    keep_smallest(all.alone, answer_of(program + "_snarl").text);
    keep_smallest(all.tsan, answer_of(program + "_tsan").text);
    keep_smallest(all.countdown, snarl(once + "memory:all", program + "_snarl").text);
    keep_smallest(all.unshared, snarl(once + "memory", program + "_snarl").text);
  }
  return all;
}

bool is_complete(const Measured& all) {
  for (const Smallest* part : {&all.native, &all.alone, &all.countdown, &all.unshared, &all.tsan, &all.accesses})
    if (part->size() != 4) return false;
  return true;
}

void compare(const std::string& compiler) {
  const Measured all = measure("bench_accesses_" + compiler);
  if (!is_complete(all)) return failed("memory hooks, " + compiler);
  for (const auto& [name, native] : all.native) {
    const std::string& kernel = name;  // a lambda of clang's can't capture the other
    const double base = native;
    const auto each = [&](const Smallest& of) { return (of.at(kernel) - base) / all.accesses.at(kernel); };
    const auto hook = [&](const char* how, const Smallest& of, double limit) {
      row(fmt::format("memory hook, {}, {}, {}", compiler, kernel, how), fmt::format("{:.2f} ns per access", each(of)),
          fmt::format("<= {} ns", limit), each(of) / limit);
    };
    hook("without the tool", all.alone, kAlone);
    hook("no point", all.unshared, kCountdown);
    hook("countdown", all.countdown, kCountdown);
    const double worst = std::max(each(all.countdown), each(all.unshared)) / each(all.tsan);
    row(fmt::format("  of what the compiler's own TSan adds ({:.2f} ns)", each(all.tsan)), fmt::format("{:.2f}", worst),
        "<= 1", worst);
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

struct Mutex {
  double native = 1e18, alone = 1e18,
         under = 1e18;  // with hooks at all accesses: no tool, and as they like under snarl
};

Mutex measure_mutex(const char* word) {
  Mutex best;
  for (int i = 0; i < 3 * kTimes; ++i) {
    best.native = std::min(best.native, nanoseconds_in(answer_of("bench_accesses_gcc", word)));
    best.alone = std::min(best.alone, nanoseconds_in(answer_of("bench_accesses_gcc_snarl", word)));
    best.under = std::min(best.under, nanoseconds_in(snarl("run --once --steps 0 -p none --points memory",
                                                           "bench_accesses_gcc_snarl", word)));
  }
  return best;
}

void measure_mutexes() {
  const Mutex turns = measure_mutex("turns"), tight = measure_mutex("mutex");
  if (std::max({turns.native, turns.alone, turns.under, tight.native, tight.alone, tight.under}) == 1e18)
    return failed("mutexes");
  const auto text = [](double time, double native) {
    return fmt::format("{:.2f}x ({:.1f} / {:.1f} ms)", time / native, time / 1e6, native / 1e6);
  };
  const auto limited = [&](const char* how, double time) {
    row(fmt::format("mutex ping-pong with hooks, {}", how), text(time, turns.native), "<= 1.2x",
        time / turns.native / 1.2);
  };
  limited("without the tool", turns.alone);
  limited("policy none", turns.under);
  row("  locks without a pause between, without the tool", text(tight.alone, tight.native));
  row("  locks without a pause between, policy none", text(tight.under, tight.native));
}

}  // namespace

void measure_accesses() {
  for (const char* compiler : {"gcc", "clang"}) compare(compiler);
  measure_shared("pct:depth=2", 100);
  measure_shared("random", 8);
  measure_mutexes();
}

}  // namespace snarl::bench
