#include "record/output_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace snarl::record {
namespace {

constexpr size_t kShown = 200;             // bytes of a line that differs
constexpr size_t kShownBefore = 80;        // of them, before the difference
constexpr size_t kLongestLine = 64 << 10;  // that is looked at in one piece

std::string shown(std::string_view line, size_t skipped) {
  const std::string_view part = line.substr(std::min(skipped, line.size()));
  return (skipped > 0 ? "..." : "") + std::string(part.substr(0, kShown)) + (part.size() > kShown ? "..." : "");
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

void Pattern::Free::operator()(regex_t* regex) const {
  regfree(regex);
  delete regex;
}

Expected<Pattern> Pattern::compile(const std::string& text) {
  auto regex = std::make_unique<regex_t>();
  if (const int error = regcomp(regex.get(), text.c_str(), REG_EXTENDED); error != 0) {
    char why[200];
    regerror(error, regex.get(), why, sizeof why);
    return Error{fmt::format("\"{}\" is not a regular expression: {}", text, why),
                 "it is one as of grep -E; a backslash makes a character plain: \\(", 2};
  }
  Pattern pattern;
  pattern.text_ = text;
  pattern.regex_.reset(regex.release());
  return pattern;
}

bool Pattern::matches(std::string_view line) const {
  regmatch_t range[1] = {{.rm_so = 0, .rm_eo = static_cast<regoff_t>(line.size())}};
  return regexec(regex_.get(), line.data(), 1, range, REG_STARTEND) == 0;
}

void Comparison::hear(std::string_view expected, std::string_view bytes) {
  if (!differs_) {
    const std::string_view next = expected.substr(same_, bytes.size());
    const auto same = static_cast<size_t>(std::ranges::mismatch(next, bytes).in1 - next.begin());
    same_ += same;
    bytes.remove_prefix(same);
    differs_ = !bytes.empty();
  }
  if (!differs_ || line_ended_) return;
  const std::string_view line = first_line(bytes);
  rest_.append(line.substr(0, kShown + 1 - std::min(rest_.size(), kShown + 1)));
  line_ended_ = line.size() < bytes.size();
}

WrongOutput Comparison::result(std::string_view expected) const {
  if (!differs_ && same_ == expected.size()) return {};
  const std::string_view before = expected.substr(0, same_);
  const size_t newline = before.rfind('\n'), start = newline == before.npos ? 0 : newline + 1;
  const size_t skipped = same_ - start > kShownBefore ? same_ - start - kShownBefore : 0;
  WrongOutput wrong{.kind = WrongOutput::Kind::kDiffers};
  wrong.line = 1 + static_cast<uint64_t>(std::ranges::count(before, '\n'));
  wrong.expected = shown(first_line(expected.substr(start)), skipped);
  wrong.got = shown(std::string(before.substr(start)) + rest_, skipped);
  wrong.ends_early = !differs_ && start == same_;
  wrong.has_more = start == expected.size();
  return wrong;
}

// The line under way, as far as it is known.
WrongOutput LineWatch::look(const std::vector<Pattern>& forbidden) const {
  for (const Pattern& pattern : forbidden)
    if (pattern.matches(line_))
      return {
          .kind = WrongOutput::Kind::kForbidden, .line = number_, .expected = pattern.text(), .got = shown(line_, 0)};
  return {};
}

void LineWatch::hear(const std::vector<Pattern>& forbidden, std::string_view bytes) {
  while (!bytes.empty() && found_.kind == WrongOutput::Kind::kNone) {
    const std::string_view part = first_line(bytes).substr(0, kLongestLine - line_.size());
    line_.append(part);
    bytes.remove_prefix(part.size());
    const bool ends = bytes.starts_with('\n');
    if (!ends && line_.size() < kLongestLine) return;
    found_ = look(forbidden);
    line_.clear();
    number_ += ends ? 1 : 0;
    bytes.remove_prefix(ends ? 1 : 0);
  }
}

WrongOutput LineWatch::result(const std::vector<Pattern>& forbidden) const {
  return found_.kind != WrongOutput::Kind::kNone || line_.empty() ? found_ : look(forbidden);
}

Expected<std::unique_ptr<OutputCheck>> OutputCheck::create(std::shared_ptr<const Expectations> expected) {
  std::vector<Pattern> forbidden;
  for (const std::string& text : expected->forbidden) {
    Expected<Pattern> pattern = Pattern::compile(text);
    if (!pattern) return pattern.error();
    forbidden.push_back(std::move(*pattern));
  }
  return std::unique_ptr<OutputCheck>(new OutputCheck(std::move(expected), std::move(forbidden)));
}

void OutputCheck::Out::hear(std::string_view bytes) {
  if (check.expected_->output) check.heard_.comparison.hear(*check.expected_->output, bytes);
  if (!check.forbidden_.empty()) check.heard_.out.hear(check.forbidden_, bytes);
}

void OutputCheck::Err::hear(std::string_view bytes) {
  if (!check.forbidden_.empty()) check.heard_.err.hear(check.forbidden_, bytes);
}

// A line that is forbidden says more than that there is a difference.
WrongOutput OutputCheck::result() const {
  if (WrongOutput wrong = heard_.out.result(forbidden_); wrong.kind != WrongOutput::Kind::kNone) return wrong;
  if (WrongOutput wrong = heard_.err.result(forbidden_); wrong.kind != WrongOutput::Kind::kNone) {
    wrong.on_stderr = true;
    return wrong;
  }
  return expected_->output ? heard_.comparison.result(*expected_->output) : WrongOutput();
}

void OutputCheck::judge(RunRecord& record) const {
  if (record.outcome != OutcomeKind::kOk && record.outcome != OutcomeKind::kExit) return;
  record.outcome = record.exit_code == expected_->exit_code ? OutcomeKind::kOk : OutcomeKind::kExit;
  if (record.outcome == OutcomeKind::kExit) return;
  record.wrong_output = result();
  if (record.wrong_output.kind != WrongOutput::Kind::kNone) record.outcome = OutcomeKind::kWrongOutput;
}

}  // namespace snarl::record
