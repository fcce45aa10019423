#include <fmt/format.h>

#include <sstream>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kLimit = 150;  // ns, for a point of any primitive

}  // namespace

void measure_gates() {
  const double handoff = nanoseconds_each("bench_handoff", "", "pct:depth=1");
  row("pinned gate handoff", fmt::format("{:.0f} per second", 1e9 / handoff), ">= 250,000", handoff / (1e9 / 250'000));
  const double quiet = nanoseconds_each("bench_primitives", "mutex-lock-unlock", "pct:depth=1");
  row("a point that does not switch, on gates", fmt::format("{:.1f} ns", quiet), "< 25 ns", quiet / 25);
}

void measure_primitives() {
  const Output list = snarl("run --once", "bench_primitives", "list");
  if (list.text.empty()) return failed("primitives");
  std::istringstream names(list.text);
  for (std::string name; std::getline(names, name);) {
    const double each = nanoseconds_each("bench_primitives", name, "pct:depth=1", 3);
    row("  " + name + ", each point", fmt::format("{:.1f} ns", each), fmt::format("<= {:.0f} ns", kLimit),
        each / kLimit);
  }
}

}  // namespace snarl::bench
