#include "schedule/settings_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "schedule/point_levels.h"

namespace snarl {
namespace {

template <typename Mode, size_t kCount>
bool take_mode(const char* const (&names)[kCount], const std::string& word, Mode& mode) {
  const auto* at = std::ranges::find(names, word);
  if (at == std::end(names)) return false;
  mode = static_cast<Mode>(at - names);
  return true;
}

std::string points_word(const RunSettings& s) { return points_text(points_of(s)); }

bool take_points(const std::string& word, RunSettings& s) {
  const Expected<PointSet> points = parse_points("points", word);
  if (!points) return false;
  s.points = *points;
  s.all_memory = (*points & kAllMemoryPoints) != 0;
  return true;
}

std::string time_word(const RunSettings& s) { return kTimeModes[static_cast<size_t>(s.time)]; }
bool take_time(const std::string& word, RunSettings& s) { return take_mode(kTimeModes, word, s.time); }

// Files from before virtual time have none.
std::string clock_word(const RunSettings& s) {
  return s.time == TimeMode::kReal || s.clock_base == 0 ? "" : std::to_string(s.clock_base);
}

bool take_clock(const std::string& word, RunSettings& s) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), s.clock_base);
  return error == std::errc() && end == word.data() + word.size() && s.clock_base != 0;
}

// Left out if it comes from the seed.
std::string random_word(const RunSettings& s) { return s.random == Randomness::kSeed ? "" : "real"; }
bool take_random(const std::string& word, RunSettings& s) {
  s.random = Randomness::kReal;
  return word == "real";
}

}  // namespace

std::span<const SettingLine> setting_lines() {
  static const SettingLine lines[] = {
      {"points", "levels of points", {}, true, points_word, take_points},
      {"time", "virtual, free or real", {std::begin(kTimeModes), std::end(kTimeModes)}, true, time_word, take_time},
      {"clock", "a time", {}, false, clock_word, take_clock},
      {"random", "real", {}, false, random_word, take_random},
  };
  return lines;
}

}  // namespace snarl
