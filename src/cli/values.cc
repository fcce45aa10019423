#include "cli/values.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "cli/options.h"
#include "schedule/schedule.h"

namespace snarl::cli {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit kUnits[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};

template <typename T>
bool whole(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Expected<double> parse_duration(const std::string& option, const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error == std::errc() && number > 0 && number < 1e9)
    for (const Unit& unit : kUnits)
      if (std::string_view(rest, static_cast<size_t>(end - rest)) == unit.name) return number * unit.seconds;
  return Error{fmt::format("{}: \"{}\" is not a time", option, text), "expected for example 60s, 500ms, 2m or 10", 2};
}

Expected<uint64_t> parse_count(const std::string& option, const std::string& text, uint64_t least, uint64_t most) {
  uint64_t value = 0;
  if (whole(text, value, 10) && value >= least && value <= most) return value;
  return Error{fmt::format("{}: \"{}\" is not a number from {} to {}", option, text, least, most), {}, 2};
}

Expected<double> parse_chance(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= 1) return number;
  return Error{fmt::format("{}: \"{}\" is not a number from 0 to 1", option, text),
               "expected for example 0.001, or off", 2};
}

Expected<uint64_t> parse_seed(const std::string& option, const std::string& text) {
  uint64_t value = 0;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex ? whole(std::string_view(text).substr(2), value, 16) : whole(text, value, 10)) return value;
  return Error{fmt::format("{}: \"{}\" is not a seed", option, text), "expected a number, decimal or 0x...", 2};
}

Expected<size_t> parse_choice(const std::string& option, const std::string& text, const std::string& choices) {
  const std::vector<std::string> names = split(choices, "|");
  const auto at = std::ranges::find(names, text);
  if (at != names.end()) return static_cast<size_t>(at - names.begin());
  const std::string near = nearest(text, names);
  return Error{fmt::format("{}: \"{}\" is none of {}", option, text, fmt::join(names, ", ")),
               near.empty() ? "" : fmt::format("did you mean {}?", near), 2};
}

Expected<TimeMode> parse_time_mode(const std::string& option, const std::string& text) {
  const Expected<size_t> mode = parse_choice(option, text, fmt::format("{}", fmt::join(kTimeModes, "|")));
  if (mode) return static_cast<TimeMode>(*mode);
  Error error = mode.error();
  if (error.hint.empty() && parse_duration(option, text))
    error.hint = fmt::format("to stop after that time: -t {}", text);
  return error;
}

Expected<Randomness> parse_random_mode(const std::string& option, const std::string& text) {
  for (size_t i = 0; i < std::size(kRandomModes); ++i)
    if (text == kRandomModes[i]) return static_cast<Randomness>(i);
  return Error{fmt::format("{}: \"{}\" is neither seed nor real", option, text), "to choose a seed: --seed", 2};
}

uint64_t random_seed() {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = static_cast<uint64_t>(std::time(nullptr));
  return seed;
}

}  // namespace snarl::cli
