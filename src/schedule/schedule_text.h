// What the writer and the parser of schedule files share: escaping, advice and the last line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snarl {

// One word without blanks: ASCII letters as they are, everything else \xNN, a backslash \\, nothing at all \e.
std::string escaped(std::string_view word);
std::optional<std::string> unescaped(std::string_view word);  // nullopt: no word that `escaped` writes

// "-" stands for "none".
inline std::string escaped_or_dash(std::string_view word) { return word.empty() ? "-" : escaped(word); }

// A comment stays on its line: other than printable ASCII becomes '?'.
std::string comment_text(std::string_view comment);

// " (did you mean 'lock'?)", or nothing if no name is near. A name itself needs no advice.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

// "end <switches> <checksum of all text before it>\n"
std::string end_line(size_t switches, std::string_view text_before);

}  // namespace snarl
