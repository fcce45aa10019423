#include "report/printable.h"

#include <fmt/format.h>

#include <iterator>

namespace snarl::report {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct CodePoint {
  char32_t value = 0;
  size_t bytes = 0;  // 0: not UTF-8
};

bool is_continuation(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

// Overlong forms, surrogates and values above U+10FFFF are not UTF-8.
bool is_scalar(char32_t value, size_t bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= kSmallest[bytes] && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
}

CodePoint code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first >= 0xf8) return {};
  char32_t value = first & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text, i)) return {};
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  return is_scalar(value, bytes) ? CodePoint{value, bytes} : CodePoint{};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

// Line separators, directions, zero widths: a name could hide or reorder what follows it.
bool is_deceptive(char32_t c) {
  return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

// The byte where the column `column` begins.
size_t byte_of(std::string_view text, size_t column) {
  size_t at = 0;
  while (at < text.size() && (column > 0 || is_continuation(text, at))) column -= is_continuation(text, at++) ? 0 : 1;
  return at;
}

}  // namespace

std::string printable(std::string_view text, Newlines newlines) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = code_point(text);
    const std::string_view bytes = text.substr(0, c.bytes == 0 ? 1 : c.bytes);
    text.remove_prefix(bytes.size());
    if (c.bytes == 0)
      result += kReplacement;
    else if (c.value == '\t')
      result += ' ';
    else if (c.value == '\n' && newlines == Newlines::kKeep)
      result += '\n';
    else if (is_control(c.value))
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<uint32_t>(c.value));
    else if (is_deceptive(c.value))
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<uint32_t>(c.value));
    else
      result += bytes;
  }
  return result;
}

size_t columns(std::string_view text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) count += is_continuation(text, i) ? 0 : 1;
  return count;
}

std::string padded(std::string_view text, size_t width) {
  std::string result(text);
  const size_t used = columns(text);
  return used < width ? result.append(width - used, ' ') : result;
}

std::string padded_left(std::string_view text, size_t width) {
  const size_t used = columns(text);
  return std::string(used < width ? width - used : 0, ' ').append(text);
}

std::string shortened(std::string_view text, size_t width) {
  const size_t used = columns(text);
  if (used <= width) return std::string(text);
  if (width < 5) return std::string(text.substr(0, byte_of(text, width)));
  const size_t tail = (width - 3) / 2, head = width - 3 - tail;
  return std::string(text.substr(0, byte_of(text, head))) + "..." +
         std::string(text.substr(byte_of(text, used - tail)));
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(uint64_t number, std::string_view one, std::string_view many) {
  return grouped(number) + " " + std::string(number == 1 ? one : many);
}

std::string duration(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(seconds);
  if (whole < 600) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min", whole / 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace snarl::report
