// ./run bench: the speed tables, measured in one run and printed as ratios to their limits, because
// machines are noisy and a ratio is less so. Exit 1 if a limit is missed.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "conductor_bench.h"
#include "measure.h"
#include "tables.h"
#include "virtual_bench.h"

namespace snarl::bench {
namespace {

const policy::PolicyInfo& named(const char* policy) {
  return policy::policy_catalog()[static_cast<size_t>(policy::policy_named(policy))];
}

// Of those that run without -p, library mode begins a million runs per second; the others may fill tables first.
bool is_default(std::string_view policy) { return policy == "random" || policy == "pct" || policy == "pos"; }

}  // namespace

void measure_virtual() {
  for (const policy::PolicyInfo& policy : policy::policy_catalog()) {
    if (!policy.for_users) continue;
    const double rate = virtual_steps_per_second(policy);
    row(fmt::format("virtual programs, {}", policy.name), fmt::format("{:.1f} M steps/s", rate / 1e6), ">= 1 M steps/s",
        1e6 / rate);
  }
}

// The limits are what the tables for fibers (25 ns for a point that goes on, 60 ns for a switch under a plan) and for
// memory accesses (8 million points a second under random) leave to the conductor.
void measure_conductor() {
  const double at_once = point_nanoseconds(named("pct")), chooses = point_nanoseconds(named("random"));
  row("conductor: a point that goes on, pct", fmt::format("{:.1f} ns", at_once), "< 20 ns", at_once / 20);
  row("conductor: a point with a choice, random", fmt::format("{:.1f} ns", chooses), "< 100 ns", chooses / 100);
  const double switches = switch_nanoseconds();
  row("conductor: a point that switches, pct", fmt::format("{:.1f} ns", switches), "< 50 ns", switches / 50);
  const double quiet = quiet_nanoseconds();
  row("conductor: a quiet step within the allowance", fmt::format("{:.3f} ns", quiet), "< 1 ns", quiet);
  for (const policy::PolicyInfo& policy : policy::policy_catalog()) {
    if (!policy.for_users) continue;
    const double begin = begin_nanoseconds(policy);
    const std::string name = fmt::format("conductor: begin of a run, {}", policy.name),
                      each = fmt::format("{:.0f} ns", begin);
    if (is_default(policy.name))
      row(name, each, "< 200 ns", begin / 200);
    else
      row("  " + name, each);
  }
}

void measure_decisions() {
  constexpr double kLimit = 100;  // nanoseconds, at 21 threads
  for (const policy::PolicyInfo& policy : policy::policy_catalog()) {
    if (!policy.for_users) continue;
    const double few = decision_nanoseconds(policy, 4), some = decision_nanoseconds(policy, 21);
    const double many = decision_nanoseconds(policy, 101);
    if (some == 0) continue;
    row(fmt::format("a decision of {}, at 4 / 21 / 101 threads", policy.name),
        fmt::format("{:.0f} / {:.0f} / {:.0f} ns", few, some, many), "< 100 ns at 21", some / kLimit);
  }
}

}  // namespace snarl::bench

// With a word, only the table of that name; `parallel NAME`, only the rows of that program; `noise [MAKE [RUNS]]`;
// `lanes [small|sharing|figure]`; `hunt [WORDS]`, see hunt/request.h; `speed [FOLDER [SUBJECT]]`.
int main(int argc, char** argv) {
  using namespace snarl::bench;
  constexpr struct {
    std::string_view name;
    void (*measure)();
  } kTables[] = {{"conductor", measure_conductor},   {"gates", measure_gates},         {"fibers", measure_fibers},
                 {"primitives", measure_primitives}, {"resets", measure_resets},       {"sizes", measure_sizes},
                 {"virtual", measure_virtual},       {"decisions", measure_decisions}, {"library", measure_library},
                 {"orders", measure_orders},         {"names", measure_names},         {"reports", measure_reports},
                 {"causes", measure_causes},         {"memory", measure_accesses},     {"patched", measure_patched},
                 {"trace", measure_trace},           {"pace", measure_pace},           {"races", measure_races}};
  const std::string_view only = argc > 1 ? argv[1] : "";
  for (const auto& table : kTables)
    if (only.empty() || only == table.name) table.measure();
  if (only.empty() || only == "parallel") measure_parallel(argc > 2 ? argv[2] : "");
  if (only == "lanes") measure_lanes(argc > 2 ? argv[2] : "");
  if (only == "noise") measure_noise(argc > 2 ? argv[2] : "yield", argc > 3 ? std::atoi(argv[3]) : 1000);
  if (only == "speed") measure_speed(argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
  if (only == "hunt") measure_hunt({argv + 2, argv + argc});
  return missed() == 0 ? 0 : 1;
}
