#include "report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/misuse.h"
#include "schedule/outcome.h"

namespace snarl::report {
namespace {

constexpr const char* kHint = "a line is KIND and at least one of function=PATTERN file=PATTERN module=PATTERN";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == line.npos || line[begin] == '#') break;
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    at = end;
  }
  return words;
}

// Is there anything that this could ever fit? A pattern may stand for several kinds.
bool is_kind(const std::string& pattern) {
  for (int i = 1; i < static_cast<int>(OutcomeKind::kCount); ++i)
    if (is_failure(static_cast<OutcomeKind>(i)) && fits_pattern(pattern, name_of(static_cast<OutcomeKind>(i))))
      return true;
  for (int i = 1; i < static_cast<int>(MisuseKind::kCount); ++i)
    if (is_failure(static_cast<MisuseKind>(i)) && fits_pattern(pattern, name_of(static_cast<MisuseKind>(i))))
      return true;
  return false;
}

// What is wrong with the word, or nothing.
std::string read_pattern(const std::string& word, Suppression& suppression) {
  const size_t equals = word.find('=');
  const std::string key = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
  std::string* field = key == "function" ? &suppression.function
                       : key == "file"   ? &suppression.file
                       : key == "module" ? &suppression.module
                                         : nullptr;
  if (equals == word.npos || field == nullptr)
    return fmt::format("expected function=, file= or module=, found \"{}\"", word);
  if (value.empty()) return key + "= has no pattern";
  if (!field->empty()) return key + "= stands here twice";
  *field = value;
  return "";
}

// "race:text" of a file for TSan: the text is a part of a function, file or module; ^ and $ are its ends.
bool is_tsans(const std::string& word) { return word.starts_with("race:") || word.starts_with("deadlock:"); }

std::string read_tsans(const std::string& word, Suppression& suppression) {
  const size_t colon = word.find(':');
  std::string text = word.substr(colon + 1);
  suppression.kind = word.substr(0, colon);
  if (text.empty()) return "it would suppress every " + suppression.kind;
  const bool begins = text.front() == '^', ends = text.back() == '$';
  if (begins) text.erase(0, 1);
  if (ends && !text.empty()) text.pop_back();
  suppression.one = (begins ? "" : "*") + text + (ends ? "" : "*");
  return "";
}

std::string read_line(const std::vector<std::string>& words, Suppression& suppression) {
  if (words.size() == 1 && is_tsans(words[0])) return read_tsans(words[0], suppression);
  suppression.kind = words[0];
  if (!is_kind(suppression.kind)) return fmt::format("\"{}\" is no kind of finding", words[0]);
  if (words.size() == 1) return "it would suppress every " + words[0];
  for (size_t i = 1; i < words.size(); ++i)
    if (const std::string problem = read_pattern(words[i], suppression); !problem.empty()) return problem;
  return "";
}

bool fits_file(const std::string& pattern, const Location& l) {
  const std::string base = l.path.substr(l.path.rfind('/') + 1);
  return fits_pattern(pattern, l.file) || fits_pattern(pattern, l.path) || fits_pattern(pattern, base);
}

bool fits(const Suppression& s, const Location& l) {
  if (!s.one.empty()) return fits_pattern(s.one, l.function) || fits_file(s.one, l) || fits_pattern(s.one, l.module);
  return (s.function.empty() || fits_pattern(s.function, l.function)) && (s.file.empty() || fits_file(s.file, l)) &&
         (s.module.empty() || fits_pattern(s.module, l.module));
}

bool fits(const Suppression& s, const Stack& stack) {
  return std::ranges::any_of(stack, [&](const Location& l) { return fits(s, l); });
}

}  // namespace

Expected<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name) {
  std::vector<Suppression> result;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string> words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    Suppression suppression{.line = number,
                            .text = fmt::format("{}", fmt::join(words, " ")),
                            .kind = {},
                            .function = {},
                            .file = {},
                            .module = {},
                            .one = {}};
    if (const std::string problem = read_line(words, suppression); !problem.empty())
      return Error{fmt::format("{}:{}: {}", name, number, problem), kHint, 2};
    result.push_back(std::move(suppression));
  }
  return result;
}

// Threads that only happened to be there don't count: those that failed, block or spin do.
bool fits(const Suppression& s, const Finding& finding) {
  if (!fits_pattern(s.kind, kind_of(finding))) return false;
  if (finding.place.known() && fits(s, finding.place)) return true;
  for (const FindingDeed& deed : finding.deeds)
    if (fits(s, deed.stack) || (deed.place.known() && fits(s, deed.place))) return true;
  return std::ranges::any_of(finding.threads, [&](const FindingThread& t) {
    const bool counts =
        t.state != ThreadState::kEnded && t.state != ThreadState::kReady && t.state != ThreadState::kUnknown;
    return counts && (fits(s, t.stack) || (t.place.known() && fits(s, t.place)));
  });
}

// The last * may stand for more: only that one has to be tried again.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = pattern.npos, tried = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace snarl::report
