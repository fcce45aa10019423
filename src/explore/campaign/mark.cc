#include "explore/campaign/mark.h"

#include <fmt/format.h>

#include "explore/campaign/sha256.h"
#include "schedule/schedule_text.h"

namespace snarl::explore {
namespace {

constexpr std::string_view kFirstLine = "snarl-mark 1\n", kFolder = "folder ", kHmac = "hmac ";
constexpr uint64_t kAbsent = ~uint64_t{0};

void add_size(std::string& text, uint64_t size) {
  for (int shift = 0; shift < 64; shift += 8) text += static_cast<char>(size >> shift & 0xff);
}

// With its size before it, so that no part can pass for the end of another.
void add_part(std::string& text, std::string_view part) {
  add_size(text, part.size());
  text += part;
}

Digest digest_of(std::string_view key, const Marked& marked) {
  std::string text(kFirstLine);
  add_part(text, marked.folder);
  add_part(text, marked.schedule);
  if (marked.input)
    add_part(text, *marked.input);
  else
    add_size(text, kAbsent);
  return hmac_sha256(key, text);
}

// The rest of the line if it begins so; `text` goes on behind it.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view begin) {
  const size_t end = text.find('\n');
  if (end == text.npos || !text.starts_with(begin)) return std::nullopt;
  const std::string_view rest = text.substr(begin.size(), end - begin.size());
  text.remove_prefix(end + 1);
  return rest;
}

std::optional<Digest> digest_from(std::string_view hex) {
  Digest digest = {};
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  for (size_t i = 0; i < hex.size(); ++i) {
    const size_t digit = std::string_view("0123456789abcdef").find(hex[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    digest[i / 2] = static_cast<uint8_t>((size_t{digest[i / 2]} << 4) | digit);
  }
  return digest;
}

}  // namespace

std::string mark_text(std::string_view key, const Marked& marked) {
  return fmt::format("{}{}{}\n{}{}\n", kFirstLine, kFolder, escaped(marked.folder), kHmac,
                     hex_of(digest_of(key, marked)));
}

std::optional<std::string> marked_folder(std::string_view key, std::string_view mark, std::string_view schedule,
                                         const std::optional<std::string_view>& input) {
  if (key.size() != kMarkKeySize || !mark.starts_with(kFirstLine)) return std::nullopt;
  mark.remove_prefix(kFirstLine.size());
  const auto folder = take_line(mark, kFolder), hmac = take_line(mark, kHmac);
  if (!folder || !hmac || !mark.empty()) return std::nullopt;
  const std::optional<std::string> path = unescaped(*folder);
  const std::optional<Digest> digest = digest_from(*hmac);
  if (!path || !digest || !is_same(*digest, digest_of(key, {*path, schedule, input}))) return std::nullopt;
  return path;
}

}  // namespace snarl::explore
