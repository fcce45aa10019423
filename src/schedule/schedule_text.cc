#include "schedule/schedule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/hash.h"

namespace snarl {
namespace {

bool is_plain(char c) { return c > ' ' && c < 0x7f && c != '\\'; }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// The byte behind "\x": its two digits start at word[at].
std::optional<char> hex_byte(std::string_view word, size_t at) {
  if (at + 2 > word.size()) return std::nullopt;
  const int high = hex_value(word[at]), low = hex_value(word[at + 1]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string escaped(std::string_view word) {
  if (word.empty()) return "\\e";
  if (word == "-") return "\\x2d";  // alone it means "none"
  std::string text;
  for (char c : word) {
    if (is_plain(c))
      text += c;
    else if (c == '\\')
      text += "\\\\";
    else
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view word) {
  if (word == "\\e") return std::string();
  std::string text;
  for (size_t i = 0; i < word.size(); ++i) {
    if (is_plain(word[i])) {
      text += word[i];
    } else if (word.substr(i, 2) == "\\\\") {
      text += '\\';
      i += 1;
    } else if (word.substr(i, 2) == "\\x") {
      const auto byte = hex_byte(word, i + 2);
      if (!byte) return std::nullopt;
      text += *byte;
      i += 3;
    } else {
      return std::nullopt;
    }
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string comment_text(std::string_view comment) {
  std::string text(comment);
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c >= 0x7f; }, '?');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  if (word.size() > 40) return "";
  const std::string* best = nullptr;
  size_t distance = 3;
  for (const std::string& name : names) {
    const size_t d = edit_distance(word, name);
    if (d < distance) best = &name, distance = d;
  }
  return best == nullptr || distance == 0 ? "" : fmt::format(" (did you mean '{}'?)", *best);
}

std::string end_line(size_t switches, std::string_view text_before) {
  return fmt::format("end {} {:016x}\n", switches, hash_text(text_before));
}

}  // namespace snarl
