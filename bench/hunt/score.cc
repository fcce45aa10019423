#include "score.h"

#include <cmath>

namespace snarl::bench {

double geometric_mean(const std::vector<double>& values) {
  double logs = 0;
  for (const double value : values) logs += std::log(value);
  return std::exp(logs / static_cast<double>(values.size()));
}

Score score_of(const std::vector<Attempt>& attempts) {
  Score score;
  std::vector<double> schedules;
  for (const Attempt& attempt : attempts) {
    ++score.seeds;
    score.found += attempt.found;
    score.out_of_time += !attempt.found && attempt.out_of_time;
    score.seconds += attempt.seconds;
    schedules.push_back(attempt.found ? attempt.schedules : kMiss);
  }
  if (!schedules.empty()) score.schedules = geometric_mean(schedules);
  return score;
}

size_t best_of(const std::vector<Score>& scores) {
  size_t best = 0;
  for (size_t i = 1; i < scores.size(); ++i)
    if (scores[i].seeds > 0 && (scores[best].seeds == 0 || scores[i].schedules < scores[best].schedules)) best = i;
  return best;
}

double behind(const Score& ours, const Score& best) { return ours.schedules / (3 * best.schedules + 5); }

}  // namespace snarl::bench
