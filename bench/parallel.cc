// What control costs real work: 8 threads on all cores, without snarl, under the policies that let
// them run at the same time, and under those that run one at a time. All ratios are of one run, in
// which the policies take turns.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "hunt/score.h"
#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr int kThreads = 8, kNativeRuns = 5;

// So much that every thread gets several blocks, and that starting them is not what is measured.
constexpr int kPackedMegabytes = 8;

// Where threads differ, it matters a lot which of them is low: the mean needs many draws.
constexpr int kAlike = 5, kDiffer = 12, kDifferMuch = 25;

struct Subject {
  std::string name, program, words;
  int rounds;         // runs of each policy
  bool fine = false;  // a lock every microsecond: not among the coarse ones
};

// Seconds of a run by policy; "" is the program alone.
using Times = std::map<std::string, double>;

double native_seconds(const Subject& subject) {
  std::vector<double> times;
  for (int i = 0; i < kNativeRuns; ++i) times.push_back(alone(subject.program, subject.words).seconds);
  std::nth_element(times.begin(), times.begin() + kNativeRuns / 2, times.end());
  return times[kNativeRuns / 2];
}

// All policies take turns in one exploration. The serial ones are on gates, as the table compares real threads with
// real threads; fibers, their default, are faster where there are many switches.
Times measure(const Subject& subject, const std::vector<std::string>& policies, double& points) {
  std::string arguments = fmt::format("-j 1 --switching gates --steps 0 --keep-going --timeout 60s -t 600s -n {}",
                                      policies.size() * static_cast<size_t>(subject.rounds));
  for (const std::string& policy : policies) arguments += " -p " + policy;
  Times times;
  times[""] = native_seconds(subject);
  const auto summary = explore(arguments, subject.program, subject.words);
  if (summary.is_discarded() || summary["failing_schedules"] != 0) return {};
  for (const auto& policy : summary["policy"])
    times[policy["policy"]] = policy["seconds"].get<double>() / policy["schedules"].get<double>();
  points = summary["steps"].get<double>() / (times[""] * 1e6) / kThreads;
  return times;
}

// A file for the packers: text-like, so that there is something to do.
std::string packer_input() {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("snarl-bench-input-{}", getpid());
  std::ofstream file(path);
  uint64_t word = 1;
  for (int i = 0; i < kPackedMegabytes * 1'000'000; ++i)
    file << "abcdefghijklmnopqrstuvwxyz"[((word = word * 6364136223846793005u + 1) >> 40) % 26];
  return path;
}

std::vector<Subject> subjects(const std::string& input) {
  std::vector<Subject> all = {{"pipeline", "bench_pipeline", "", kDiffer},
                              {"histogram", "bench_histogram", "", kAlike, true},
                              {"matrix", "bench_matrix", "", kAlike},
                              {"stealing", "bench_stealing", "", kAlike}};
  const Subject packers[] = {{"pigz", "/usr/bin/pigz", "-p 8 -k -c " + input, kDifferMuch},
                             {"zstd", "/usr/bin/zstd", "-q -T4 -B512K -9 -c " + input, kDifferMuch},
                             {"pbzip2", "/usr/bin/pbzip2", "-p8 -b1 -k -c " + input, kDiffer}};
  for (const Subject& packer : packers)
    if (std::filesystem::exists(packer.program)) all.push_back(packer);
  return all;
}

struct Ratios {
  std::vector<double> none, ppct, pct_coarse, gain;
  double histogram = 0, worst_deep_gain = 1e9;
  std::string worst_deep;
};

// Of ppct over pct.
double gain_at(int depth, Times& times) {
  return times[fmt::format("pct:depth={}", depth)] / times[fmt::format("ppct:depth={}", depth)];
}

void add(const Subject& subject, Times& times, Ratios& ratios) {
  ratios.none.push_back(times["none"] / times[""]);
  ratios.ppct.push_back(times["ppct:depth=1"] / times[""]);
  ratios.gain.push_back(gain_at(1, times));
  if (subject.fine)
    ratios.histogram = ratios.ppct.back();
  else
    ratios.pct_coarse.push_back(times["pct:depth=1"] / times[""]);
  for (int depth = 2; depth <= 4; ++depth) {
    const double gain = gain_at(depth, times);
    if (gain >= ratios.worst_deep_gain) continue;
    ratios.worst_deep_gain = gain;
    ratios.worst_deep = fmt::format("{} depth {}", subject.name, depth);
  }
}

void print(const Subject& subject, Times& times, double points) {
  row(fmt::format("{} ({:.3f} points/us per thread, {:.0f} ms alone, {} runs each)", subject.name, points,
                  times[""] * 1000, subject.rounds),
      fmt::format("none {:.2f}x ppct {:.2f}x pct {:.2f}x", times["none"] / times[""], times["ppct:depth=1"] / times[""],
                  times["pct:depth=1"] / times[""]));
  row("  ppct over pct, depth 1 to 4", fmt::format("{:.2f}x {:.2f}x {:.2f}x {:.2f}x", gain_at(1, times),
                                                   gain_at(2, times), gain_at(3, times), gain_at(4, times)));
}

}  // namespace

void measure_parallel(std::string_view only) {
  const std::vector<std::string> policies = {"none",         "ppct:depth=1", "pct:depth=1",
                                             "ppct:depth=2", "pct:depth=2",  "ppct:depth=3",
                                             "pct:depth=3",  "ppct:depth=4", "pct:depth=4"};
  const std::string input = packer_input();
  row(fmt::format("{} threads, pct on gates; pigz, zstd and pbzip2 pack {} MB", kThreads, kPackedMegabytes),
      "means over runs");
  Ratios ratios;
  for (const Subject& subject : subjects(input)) {
    if (!only.empty() && subject.name != only) continue;
    double points = 0;
    Times times = measure(subject, policies, points);
    if (times.empty()) {
      failed(subject.name + " under all policies");
      continue;
    }
    print(subject, times, points);
    add(subject, times, ratios);
  }
  std::filesystem::remove(input);
  if (ratios.ppct.empty() || !only.empty()) return;
  const auto times_text = [](double ratio) { return fmt::format("{:.2f}x", ratio); };
  const double ppct = geometric_mean(ratios.ppct), none = geometric_mean(ratios.none),
               gain = geometric_mean(ratios.gain);
  const double worst_pct = *std::max_element(ratios.pct_coarse.begin(), ratios.pct_coarse.end());
  row("ppct depth 1 against the program alone, geometric mean", times_text(ppct), "<= 1.5x", ppct / 1.5);
  row("  the same with a lock per bin", times_text(ratios.histogram), "<= 3x", ratios.histogram / 3);
  row("pct depth 1 against it, worst of the coarse ones", times_text(worst_pct), "<= 2.5x", worst_pct / 2.5);
  row("ppct over pct, depth 1, geometric mean", times_text(gain), ">= 1.5x", 1.5 / gain);
  row("ppct over pct, depth 2 to 4, worst: " + ratios.worst_deep, times_text(ratios.worst_deep_gain), ">= 1x",
      1 / ratios.worst_deep_gain);
  row("points counted, nobody held back (none), geometric mean", times_text(none), "<= 1.1x", none / 1.1);
}

}  // namespace snarl::bench
