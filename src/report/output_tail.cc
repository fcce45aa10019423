#include "report/output_tail.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxWrapped = 12;
constexpr size_t kTailLines = 5;
constexpr size_t kCheckLines = 8;  // an expectation with its values and a message

// Splits at newlines; the empty rest behind the last one is not a line.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// How many bytes of `line` stand on the first line: up to the last space that fits, if it isn't too far left.
size_t break_at(const std::string& line, size_t width) {
  size_t bytes = 0, used = 0, space = 0;
  while (bytes < line.size()) {
    const bool begins = (static_cast<unsigned char>(line[bytes]) & 0xc0) != 0x80;
    if (begins && used == width) break;
    used += begins ? 1 : 0;
    if (line[bytes] == ' ') space = bytes;
    ++bytes;
  }
  if (bytes == line.size() || line[bytes] == ' ') return bytes;
  return space * 2 > bytes ? space : bytes;
}

bool contains(const std::string& text, const std::string& part) {
  return !part.empty() && text.find(part) != std::string::npos;
}

// "queue_test.cc:14: ERROR: CHECK( a == b ) is NOT correct!", or with "(14)", or a FATAL ERROR.
bool is_doctests(const std::string& line) {
  for (const char* mark : {": ERROR: ", ": FATAL ERROR: "})
    if (const size_t at = line.find(mark); at != line.npos && at > 0)
      return line[at - 1] == ')' || (line[at - 1] >= '0' && line[at - 1] <= '9');
  return false;
}

// "queue_test.cc(14): error: in "Queue/Drains": check a == b has failed [1 != 2]" of Boost.Test, or a fatal error.
bool is_boosts(const std::string& line) {
  for (const char* mark : {"): error: in \"", "): fatal error: in \""})
    if (contains(line, mark)) return true;
  return false;
}

// Its last words, which it writes to stderr while the failure is on stdout.
bool is_boosts_footer(const std::string& line) {
  return line.starts_with("*** ") && contains(line, " detected in the test ");
}

// "queue_test.cc:14: Failure" of GoogleTest, "queue_test.cc:14: FAILED:" of Catch2, doctest's or Boost.Test's.
bool tells_failure(const std::string& line) {
  return line.ends_with(": Failure") || line.ends_with(": FAILED:") || is_doctests(line) || is_boosts(line);
}

// "[  FAILED  ] Queue.Drains (0 ms)" of GoogleTest, or the empty line of others.
bool ends_check(const std::string& line) { return line.empty() || line.starts_with("["); }

// What a test framework says of the first failure; nothing if it says nothing.
std::string failed_check(const std::vector<std::string>& lines, size_t width) {
  size_t at = 0;
  while (at < lines.size() && !tells_failure(lines[at])) ++at;
  std::string text = at == lines.size() ? "" : "Its stdout, of the first failure:\n";
  for (size_t i = at; i < lines.size() && i < at + kCheckLines && !ends_check(lines[i]); ++i) {
    if (i > at && tells_failure(lines[i])) break;
    text += "  " + shortened(lines[i], width - 2) + "\n";
  }
  return text;
}

std::string titled(const char* title, const std::vector<std::string>& lines, size_t width) {
  const size_t first = lines.size() > kTailLines ? lines.size() - kTailLines : 0;
  std::string text =
      first == 0 ? fmt::format("{}:\n", title) : fmt::format("{}, the last {} lines:\n", title, kTailLines);
  for (size_t i = first; i < lines.size(); ++i) text += "  " + shortened(lines[i], width - 2) + "\n";
  return text;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> result;
  for (std::string line : split(text)) {
    do {
      if (result.size() == kMaxWrapped) return result.back() = "...", result;
      const size_t end = break_at(line, width);
      result.push_back(line.substr(0, end));
      line.erase(0, end + (end < line.size() && line[end] == ' ' ? 1 : 0));
    } while (!line.empty());
  }
  return result;
}

std::string output_tail(const FindingHead& finding, const std::string& message, size_t width) {
  std::vector<std::string> err;
  for (std::string& line : split(finding.err_tail)) {
    const bool known = !line.empty() && (contains(message, line) || contains(line, message));
    if (!known && !is_boosts_footer(line)) err.push_back(std::move(line));
  }
  if (std::ranges::all_of(err, &std::string::empty)) err.clear();
  if (!err.empty()) return titled("Its stderr", err, width);
  const std::vector<std::string> out = split(finding.out_tail);
  if (std::string check = failed_check(out, width); !check.empty()) return check;
  return out.empty() ? "" : titled("Its stdout", out, width);
}

}  // namespace snarl::report
