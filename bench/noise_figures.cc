// snarl_bench noise [MAKE [RUNS]]: figures 6 and 7 of the paper on noise makers, for our own programs (bench/noise).
//
// MAKE is yield (the default, as in the paper), sleep or switch; RUNS of each point of figure 6, 1000 if not given, and
// half as many in figure 7. Everything is pinned to one core: on idle ones a yield hardly switches.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <string>
#include <vector>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

struct Program {
  const char* name;
  int lines;             // of the paper's figure 5
  const char* variable;  // that its bug is about
};

// By size. Shop and piper are left out: their bugs need no noise (a sleep may end, or a waiter be overtaken, anyway).
constexpr Program kPrograms[] = {{"account", 160, "balance"},    {"max", 220, "largest"},
                                 {"manager", 520, "first_free"}, {"dictionary", 706, "words"},
                                 {"crawler", 1200, "current"},   {"raytracer", 1600, "checksum"},
                                 {"animator", 2088, "queue"}};
constexpr double kPicks[] = {0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1};
constexpr double kCs[] = {1. / 81, 1. / 27, 1. / 9, 1. / 3, 1, 3, 9};

struct Figures {
  std::string make;
  int runs;

  long hits(const Program& program, const std::string& policy, int count) const {
    const auto summary = explore(fmt::format("-j 1 --seed 1 --keep-going --config \"\" -n {} -p '{}'", count, policy),
                                 fmt::format("noise_{}", program.name));
    return summary.is_discarded() ? 0 : summary["failing_schedules"].get<long>();
  }
};

void pin_to_one_core() {
  cpu_set_t cores, one;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;
  int first = 0;
  while (!CPU_ISSET(first, &cores)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  sched_setaffinity(0, sizeof one, &one);
}

void holds(const std::string& what, const std::string& measured, bool is_so) {
  row(what, measured, "yes", is_so ? 1 : 2);
}

using Curve = std::vector<long>;  // hits by pick

Curve curve_of(const Figures& figures, const Program& program, const char* group) {
  Curve curve;
  for (double pick : kPicks)
    curve.push_back(figures.hits(
        program, fmt::format("noise-random:make={},group={},pick={}", figures.make, group, pick), figures.runs));
  fmt::print("  {:<11}{:>6} {:>6}\n", program.name, program.lines, fmt::join(curve, " "));
  std::fflush(stdout);
  return curve;
}

// A pick as the mean of the picks by their hits: steadier than the place of the largest.
double centre_of(const Curve& curve) {
  double sum = 0, hits = 0;
  for (size_t i = 0; i < curve.size(); ++i) {
    const auto weight = static_cast<double>(curve[i]) * static_cast<double>(curve[i]);
    sum += weight * kPicks[i];
    hits += weight;
  }
  return hits == 0 ? 0 : sum / hits;
}

long best_of(const Curve& curve) { return *std::max_element(curve.begin(), curve.end()); }

std::vector<Curve> figure6(const Figures& figures, const char* group) {
  fmt::print("\nFigure 6{}: hits in {} runs by pick, {}s\n  program     lines {}\n", group[0] == 'p' ? "a" : "b",
             figures.runs, group, fmt::join(kPicks, " "));
  std::vector<Curve> curves;
  for (const Program& program : kPrograms) curves.push_back(curve_of(figures, program, group));
  return curves;
}

void check_figure6(const std::vector<Curve>& places, const std::vector<Curve>& variables) {
  size_t interior = 0, better = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    interior += best_of(places[i]) > places[i].front() && best_of(places[i]) > places[i].back();
    better += best_of(places[i]) > best_of(variables[i]);
  }
  const size_t count = places.size();
  holds("6: each curve of places has its maximum inside", fmt::format("{} of {}", interior, count), interior == count);
  holds("6: the best pick of places beats that of variables", fmt::format("{} of {}", better, count),
        better > count / 2);
  const double small = centre_of(places.front()), large = centre_of(places.back());
  holds("6: the best pick falls with the size", fmt::format("{:.3f} to {:.3f}", small, large), small > 2 * large);
}

void figure7a(const Figures& figures) {
  const int count = figures.runs / 2;
  fmt::print("\nFigure 7a: hits in {} runs\n  program      white random   best contention\n", count);
  std::vector<long> sums(4);
  for (const Program& program : kPrograms) {
    const std::string policies[] = {"noise-white:make={}", "noise-random:make={}", "noise-best:make={}",
                                    fmt::format("noise-contention:make={{}},variable={}", program.variable)};
    std::vector<long> hits;
    for (size_t i = 0; i < 4; ++i) {
      hits.push_back(figures.hits(program, fmt::format(fmt::runtime(policies[i]), figures.make), count));
      sums[i] += hits[i];
    }
    fmt::print("  {:<11} {:>6} {:>6} {:>6} {:>10}\n", program.name, hits[0], hits[1], hits[2], hits[3]);
    std::fflush(stdout);
  }
  holds("7a: white < random < best < contention", fmt::format("{}", fmt::join(sums, " < ")),
        sums[0] < sums[1] && sums[1] < sums[2] && sums[2] < sums[3]);
}

void figure7b(const Figures& figures) {
  const int count = figures.runs / 2;
  fmt::print("\nFigure 7b: hits in {} runs by c, noise-best\n  program    {:>6.3f}\n", count, fmt::join(kCs, " "));
  Curve sums(std::size(kCs));
  for (const Program& program : kPrograms) {
    Curve hits;
    for (size_t i = 0; i < std::size(kCs); ++i) {
      hits.push_back(figures.hits(program, fmt::format("noise-best:make={},c={}", figures.make, kCs[i]), count));
      sums[i] += hits[i];
    }
    fmt::print("  {:<11}{:>6}\n", program.name, fmt::join(hits, " "));
    std::fflush(stdout);
  }
  holds("7b: the best c is inside", fmt::format("{}", fmt::join(sums, " ")),
        best_of(sums) > sums.front() && best_of(sums) > sums.back());
}

}  // namespace

void measure_noise(std::string_view make, int runs) {
  pin_to_one_core();
  const Figures figures{std::string(make), runs};
  const std::vector<Curve> places = figure6(figures, "place"), variables = figure6(figures, "variable");
  check_figure6(places, variables);
  figure7a(figures);
  figure7b(figures);
}

}  // namespace snarl::bench
