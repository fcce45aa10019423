// snarl_bench hunt [WORDS] (hunt/request.h): after how many schedules do policies find the bugs of bench/hunt/programs?
//
// The programs are instrumented and have points at memory accesses. Each exploration ends at its first finding. A seed
// whose time was over before its schedules is a miss, and its cell has a star.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "hunt/contest.h"
#include "hunt/split.h"
#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kOfSurw = 0.75, kOfOld = 0.4;  // the default's schedules, as a part of theirs
constexpr double kMinutes = 40;

struct Hunt {
  std::vector<std::string> programs;
  std::vector<Contender> contenders;
  std::vector<Scores> scores;  // by program and contender
};

std::string number(double value) { return fmt::format("{:.{}f}", value, value < 100 ? 1 : 0); }

// "5.8", or "812 17/20*" if it was not found each time.
std::string words(const Score& score) {
  if (score.seeds == 0) return "-";
  const std::string star = score.out_of_time > 0 ? "*" : "";
  const std::string schedules = score.found == 0 ? "-" : number(score.schedules);
  return score.always() ? schedules : fmt::format("{} {}/{}{}", schedules, score.found, score.seeds, star);
}

bool is_thorough(const Contender& contender) { return contender.schedules == kMiss; }

void print_heading(const std::vector<Contender>& contenders) {
  fmt::print(
      "schedules to the first failure (geometric mean), found in how many seeds if not in all, CPU seconds of all\n");
  fmt::print("{:<24}", "");
  for (const Contender& contender : contenders)
    if (is_thorough(contender)) fmt::print(" {:>21}", contender.name);
  fmt::print("\n");
}

void print_thorough(const std::vector<Contender>& contenders, const std::string& program, const Scores& scores) {
  fmt::print("{:<24}", program);
  for (size_t i = 0; i < scores.size(); ++i)
    if (is_thorough(contenders[i])) fmt::print(" {:>15} {:>5.1f}", words(scores[i]), scores[i].seconds);
  fmt::print("\n");
  std::fflush(stdout);
}

// The others, and how far ours is behind the best of all.
void print_rest(const Hunt& hunt) {
  fmt::print("\n{:<24}", "");
  for (const Contender& contender : hunt.contenders)
    if (!is_thorough(contender)) fmt::print(" {:>16}", contender.name);
  fmt::print("  {}/best\n", hunt.contenders[0].name);
  for (size_t i = 0; i < hunt.programs.size(); ++i) {
    const Scores& scores = hunt.scores[i];
    fmt::print("{:<24}", hunt.programs[i]);
    for (size_t j = 0; j < scores.size(); ++j)
      if (!is_thorough(hunt.contenders[j])) fmt::print(" {:>16}", words(scores[j]));
    const size_t best = best_of(scores);
    fmt::print("  {:.2f} {}\n", scores[0].schedules / scores[best].schedules, hunt.contenders[best].name);
  }
}

Hunt part_of(const Hunt& hunt, Half half) {
  Hunt part{.contenders = hunt.contenders};
  for (size_t i = 0; i < hunt.programs.size(); ++i) {
    if (half_of(hunt.programs[i]) != half) continue;
    part.programs.push_back(hunt.programs[i]);
    part.scores.push_back(hunt.scores[i]);
  }
  return part;
}

double mean_of(const Hunt& hunt, size_t contender) {
  std::vector<double> schedules;
  for (const Scores& scores : hunt.scores) schedules.push_back(scores[contender].schedules);
  return geometric_mean(schedules);
}

void print_means(const Hunt& hunt, const char* half) {
  if (hunt.programs.empty()) return;
  fmt::print("\n{} half, {} programs: schedules (geometric mean), always found, CPU seconds\n", half,
             hunt.programs.size());
  for (size_t i = 0; i < hunt.contenders.size(); ++i) {
    const auto is_found = [i](const Scores& scores) { return scores[i].always(); };
    double seconds = 0;
    for (const Scores& scores : hunt.scores) seconds += scores[i].seconds;
    fmt::print("  {:<22} {:>9} {:>5} {:>8.1f}\n", hunt.contenders[i].name, number(mean_of(hunt, i)),
               std::count_if(hunt.scores.begin(), hunt.scores.end(), is_found), seconds);
  }
}

size_t index_of(const Hunt& hunt, const char* name) {
  const auto is_named = [name](const Contender& contender) { return contender.name == name; };
  return static_cast<size_t>(std::find_if(hunt.contenders.begin(), hunt.contenders.end(), is_named) -
                             hunt.contenders.begin());
}

void judge_mean(const Hunt& hunt, const char* other, double limit) {
  const double ours = mean_of(hunt, 0), theirs = mean_of(hunt, index_of(hunt, other));
  row(fmt::format("default against {}, schedules of the reporting half", other),
      fmt::format("{:.2f}x ({:.1f} / {:.1f})", ours / theirs, ours, theirs), fmt::format("<= {}x", limit),
      ours / theirs / limit);
}

void judge_worst(const Hunt& hunt) {
  const auto score_behind = [](const Scores& scores) { return behind(scores[0], scores[best_of(scores)]); };
  const auto less = [&](const Scores& a, const Scores& b) { return score_behind(a) < score_behind(b); };
  const auto worst = std::max_element(hunt.scores.begin(), hunt.scores.end(), less);
  const size_t best = best_of(*worst);
  row(fmt::format("default behind the best, worst: {}",
                  hunt.programs[static_cast<size_t>(worst - hunt.scores.begin())]),
      fmt::format("{:.1f} / {:.1f} {}", (*worst)[0].schedules, (*worst)[best].schedules, hunt.contenders[best].name),
      "<= 3x + 5", score_behind(*worst));
}

void judge_found(const Hunt& hunt) {
  const int wanted = hunt.contenders[0].seeds;
  const auto found = std::count_if(hunt.scores.begin(), hunt.scores.end(),
                                   [wanted](const Scores& scores) { return scores[0].found == wanted; });
  const auto all = static_cast<long>(hunt.scores.size());
  row(fmt::format("default: programs found in all of {} seeds", wanted), fmt::format("{} of {}", found, all), "all",
      found == all ? 1 : 2);
}

void judge(const Hunt& reporting) {
  judge_mean(reporting, "surw", kOfSurw);
  judge_mean(reporting, "old", kOfOld);
  judge_worst(reporting);
  judge_found(reporting);
}

std::vector<std::string> programs_of(const Request& request) {
  std::vector<std::string> chosen;
  for (const std::string& program : hunt_programs())
    if ((half_of(program) == Half::kTuning ? request.tuning : request.reporting) &&
        program.find(request.only) != program.npos)
      chosen.push_back(program);
  return chosen;
}

double minutes_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 60;
}

}  // namespace

void measure_hunt(std::span<char* const> words) {
  const auto begin = std::chrono::steady_clock::now();
  const Request request = read_request(words);
  Hunt hunt{.programs = programs_of(request), .contenders = request.contenders};
  if (hunt.programs.empty()) return failed("hunt: no such program");
  print_heading(hunt.contenders);
  hunt.scores = compete(hunt.programs, hunt.contenders, [&](const std::string& program, const Scores& scores) {
    print_thorough(hunt.contenders, program, scores);
  });
  print_rest(hunt);
  print_means(part_of(hunt, Half::kTuning), "tuning");
  print_means(part_of(hunt, Half::kReporting), "reporting");
  if (request.whole && request.reporting) judge(part_of(hunt, Half::kReporting));
  const double minutes = minutes_since(begin);
  row("hunt: minutes on two cores", fmt::format("{:.1f}", minutes), fmt::format("<= {:g}", kMinutes),
      minutes / kMinutes);
}

}  // namespace snarl::bench
