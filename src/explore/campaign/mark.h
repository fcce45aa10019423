// The mark of a finding: says that this user's snarl recorded it, so that its command may be run again without a
// question (docs/formats/mark.md). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace snarl::explore {

inline constexpr const char* kMarkFile = "mark";  // in a finding's folder
inline constexpr size_t kMarkKeySize = 32;

// What a replay takes from a finding's folder, and where the program ran.
struct Marked {
  std::string folder;                     // the working folder of the program
  std::string_view schedule;              // bytes of schedule.snarl: command, policy and its file's name are in it
  std::optional<std::string_view> input;  // bytes of stdin.txt; nothing: there is no such file
};

// The text of the mark.
std::string mark_text(std::string_view key, const Marked& marked);

// The working folder that it names, if it is the mark of that schedule and input, made with that key.
std::optional<std::string> marked_folder(std::string_view key, std::string_view mark, std::string_view schedule,
                                         const std::optional<std::string_view>& input);

}  // namespace snarl::explore
