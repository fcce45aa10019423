// What hooks at memory accesses cost, without the tool: against the same program built natively and with the
// compiler's own ThreadSanitizer, all in one run; and what a point at a shared access costs under control.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kPerAccess = 1.5;  // ns on top of native
constexpr int kTimes = 3;

struct Kernel {
  double nanoseconds = 1e18;
  double accesses = 1;
};

// The best of several runs, by kernel.
std::map<std::string, Kernel> kernels_of(const std::string& program) {
  std::map<std::string, Kernel> best;
  for (int i = 0; i < kTimes; ++i) {
    std::istringstream text(answer_of(program).text);
    std::string name;
    Kernel kernel;
    while (text >> name >> kernel.nanoseconds >> kernel.accesses)
      if (kernel.nanoseconds < best[name].nanoseconds) best[name] = kernel;
  }
  return best;
}

void compare(const std::string& compiler) {
  const auto native = kernels_of("bench_accesses_" + compiler), hooked = kernels_of("bench_accesses_" + compiler + "_snarl");
  const auto tsan = kernels_of("bench_accesses_" + compiler + "_tsan");
  if (native.empty() || hooked.empty() || tsan.empty()) return failed("memory hooks, " + compiler);
  for (const auto& [name, kernel] : native) {
    const double added = hooked.at(name).nanoseconds - kernel.nanoseconds, theirs = tsan.at(name).nanoseconds - kernel.nanoseconds;
    const double each = added / kernel.accesses;
    row(fmt::format("memory hook, {}, {}, on top of native", compiler, name), fmt::format("{:.2f} ns per access", each),
        fmt::format("<= {} ns", kPerAccess), each / kPerAccess);
    row(fmt::format("  of what the compiler's own TSan adds ({:.2f} ns)", theirs / kernel.accesses),
        fmt::format("{:.2f}", added / theirs), "<= 1", added / theirs);
  }
}

void measure_shared(const char* policy, double least) {
  const Output run = snarl(fmt::format("run --points memory:all --once --steps 0 -p {}", policy), "bench_accesses_gcc_snarl", "shared");
  const double each = run.text.empty() ? 0 : std::stod(run.text);
  if (each == 0) return failed("points at shared accesses");
  row(fmt::format("points at memory accesses, {}, gates", policy), fmt::format("{:.1f} M per second", 1e3 / each),
      fmt::format(">= {:g} M on fibers", least), least * each / 1e3);
}

}  // namespace

void measure_accesses() {
  for (const char* compiler : {"gcc", "clang"}) compare(compiler);
  measure_shared("pct:depth=2", 100);
  measure_shared("random", 8);
}

}  // namespace snarl::bench
