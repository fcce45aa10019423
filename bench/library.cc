// Library mode: schedules of a small body in one process.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {

void measure_library() {
  constexpr double kLimit = 700'000;  // the peer Relacy, whose tests must be written for it, does 770,000 to 1,050,000
  for (const char* policy : {"pct:depth=3", "random"}) {
    double best = 0;
    for (int i = 0; i < 5; ++i) best = std::max(best, std::atof(answer_of("bench_library", policy).text.c_str()));
    const std::string what = fmt::format("library mode, small, {}", policy);
    if (best == 0)
      failed(what);
    else if (policy[0] == 'p')
      row(what, fmt::format("{:.0f} schedules per CPU s", best), ">= 700,000", kLimit / best);
    else
      row(what, fmt::format("{:.0f} schedules per CPU s", best));
  }
}

}  // namespace snarl::bench
