// Values of options, as people write them. `option` is what an error calls it. Errors have exit code 2 and say what was
// expected.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "explore/target/setup.h"

namespace snarl::cli {

// "60s", "500ms", "2m", "1h", "1.5" (seconds). More than zero.
Expected<double> parse_duration(const std::string& option, const std::string& text);

// A whole number from `least` to `most`; 1_000, 1'000 and 1,000 are not taken for one.
Expected<uint64_t> parse_count(const std::string& option, const std::string& text, uint64_t least, uint64_t most);

// A probability, from 0 to 1.
Expected<double> parse_chance(const std::string& option, const std::string& text);

// Decimal or 0x hexadecimal.
Expected<uint64_t> parse_seed(const std::string& option, const std::string& text);

// Which of the `choices`, such as "fork|exec".
Expected<size_t> parse_choice(const std::string& option, const std::string& text, const std::string& choices);

// virtual, free or real.
Expected<TimeMode> parse_time_mode(const std::string& option, const std::string& text);
// seed or real.
Expected<Randomness> parse_random_mode(const std::string& option, const std::string& text);

// A seed nobody chose.
uint64_t random_seed();

}  // namespace snarl::cli
