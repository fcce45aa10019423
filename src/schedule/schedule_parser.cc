// Reads schedule files. The lines come in one order, so the parser is a list of expectations;
// the first that is not met becomes the error.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "schedule/misuse.h"
#include "schedule/ordinal.h"
#include "schedule/outcome.h"
#include "schedule/schedule.h"
#include "schedule/schedule_text.h"
#include "schedule/settings_text.h"

namespace snarl {
namespace {

// Limits: what the runtime can log, and what a kernel takes as arguments.
constexpr size_t kMaxSwitches = 1 << 20;
constexpr size_t kMaxModules = 512;
constexpr size_t kMaxPlaces = 1 << 16;
constexpr size_t kMaxWords = 1 << 16;
constexpr size_t kMaxLine = 1 << 22;

// Settings have more.
constexpr const char* kKeywords[] = {"snarl-schedule", "rules",   "program",     "build-id", "argv",      "policy",
                                     "seed",           "index",   "epoch",       "threads",  "steps",     "function",
                                     "unpatched",      "cpus",    "aslr",        "failure",  "signature", "decisions",
                                     "module",         "shared",  "spin",        "switch",   "end",       "expect-exit",
                                     "expect-output",  "fail-on", "environment", "file",     "at-once",   "own-stacks"};

template <typename Kind>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (int i = 1; i < static_cast<int>(Kind::kCount); ++i) names.emplace_back(name_of(static_cast<Kind>(i)));
  return names;
}

std::string quoted(std::string_view word) {
  if (word.empty()) return "nothing";
  const bool long_word = word.size() > 40;
  return fmt::format("'{}{}'", comment_text(word.substr(0, 40)), long_word ? "..." : "");
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Expected<Schedule> parse() {
    if (!header() || !body()) return Error{fmt::format("{}:{}: {}", file_, line_number_, error_), hint_, 2};
    return std::move(s_);
  }

 private:
  // The order of these is the order of the lines.
  bool header() {
    return version("snarl-schedule", kScheduleVersion) && version("rules", kRulesVersion) &&
           text_line("program", s_.program) && optional_line("build-id", s_.build_id) && words_line("argv", s_.argv) &&
           start_lines() && text_line("policy", s_.policy) && key_lines(s_.key) &&
           setting_line(setting_lines().front()) && function_lines() && unpatched_lines() && other_settings() &&
           number_line("cpus", s_.cpus) && flag_line("aslr", "off", "on", s_.aslr) && expectations() &&
           failure_line() && optional_line("signature", s_.signature) && flag_line("decisions", "all", "cut", s_.cut);
  }

  bool body() {
    while (peek() == "module")
      if (!module_line()) return false;
    while (peek() == "shared")
      if (!place_line("shared", s_.places)) return false;
    while (peek() == "spin")
      if (!place_line("spin", s_.spin_loads)) return false;
    while (peek() == "switch")
      if (!switch_line()) return false;
    return last_line();
  }

  // Lines and words.
  std::string_view peek() const {
    const std::string_view rest = text_.substr(at_);
    return rest.substr(0, rest.find_first_of(" \n"));
  }

  bool next_line() {
    ++line_number_;
    line_start_ = at_;
    if (at_ >= text_.size()) return fail("the file ends here: it was cut off", "copy or record the schedule again");
    const size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return fail("the last line has no end: the file was cut off");
    if (end - at_ > kMaxLine) return fail("line too long");
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  std::string_view take_word() {
    const size_t end = std::min(line_.find(' '), line_.size());
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return word;
  }

  bool open_line(std::string_view keyword) {
    if (!next_line()) return false;
    const std::string_view word = take_word();
    if (word == keyword) return true;
    if (line_number_ == 1) return fail("not a schedule file: its first line is not 'snarl-schedule 1'");
    return wrong_keyword(fmt::format("'{}'", keyword), word);
  }

  bool wrong_keyword(std::string_view right, std::string_view word) {
    std::vector<std::string> names(std::begin(kKeywords), std::end(kKeywords));
    for (const SettingLine& line : setting_lines()) names.emplace_back(line.keyword);
    return fail(fmt::format("expected {}, found {}{}", right, quoted(word), did_you_mean(word, names)));
  }

  bool close_line() {
    return line_.empty() || fail(fmt::format("expected the end of the line, found {}", quoted(line_)));
  }

  // Values.
  template <typename Number>
  bool number(std::string_view what, std::string_view word, Number& value, int base = 10) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error == std::errc() && end == word.data() + word.size() && !word.empty()) return true;
    return expected(what, word);
  }

  bool hex(std::string_view what, std::string_view word, uint64_t& value) {
    if (word.substr(0, 2) != "0x") return expected(what, word);
    return number(what, word.substr(2), value, 16);
  }

  bool text(std::string_view what, std::string_view word, std::string& value) {
    const auto plain = unescaped(word);
    if (!plain) return expected(what, word);
    value = *plain;
    return true;
  }

  bool prefixed(std::string_view what, char prefix, std::string_view word, uint32_t& value) {
    if (word.empty() || word[0] != prefix) return expected(what, word);
    return number(what, word.substr(1), value);
  }

  // T1, t1 for its timer, or a1 for an alarm.
  bool thread(std::string_view word, uint32_t& ordinal) {
    if (!word.empty() && word[0] == 'a') return alarm(word, ordinal);
    const bool timer = !word.empty() && word[0] == 't';
    const char* what = timer ? "a timer such as t1" : "a thread such as T1";
    if (!prefixed(what, timer ? 't' : 'T', word, ordinal)) return false;
    if (is_timer_ordinal(ordinal) || (timer && (ordinal & kAlarmBit) != 0)) return expected(what, word);
    if (timer) ordinal |= kTimerBit;
    return true;
  }

  bool alarm(std::string_view word, uint32_t& ordinal) {
    const char* what = "an alarm such as a1";
    if (!prefixed(what, 'a', word, ordinal)) return false;
    if ((ordinal & (kTimerBit | kAlarmBit)) != 0) return expected(what, word);
    ordinal |= kTimerBit | kAlarmBit;
    return true;
  }

  template <typename Kind>
  bool name(std::string_view what, Kind (*named)(const char*), Kind& value) {
    const std::string_view word = take_word();
    value = named(std::string(word).c_str());
    if (name_of(value) == word) return true;
    return fail(fmt::format("expected {}, found {}{}", what, quoted(word), did_you_mean(word, all_names<Kind>())));
  }

  // Lines of one shape.
  bool version(std::string_view keyword, uint32_t known) {
    uint32_t version = 0;
    if (!number_line(keyword, version)) return false;
    if (version == known) return true;
    return fail(fmt::format("'{}' is version {}, but this snarl reads version {}", keyword, version, known),
                "use the snarl that wrote the file, or find the failure again");
  }

  bool text_line(std::string_view keyword, std::string& value) {
    return open_line(keyword) && text(fmt::format("one word after '{}'", keyword), take_word(), value) && close_line();
  }

  bool optional_line(std::string_view keyword, std::string& value) {
    if (!open_line(keyword)) return false;
    const std::string_view word = take_word();
    return (word == "-" || text(fmt::format("one word or '-' after '{}'", keyword), word, value)) && close_line();
  }

  bool words_line(std::string_view keyword, std::vector<std::string>& words) {
    if (!open_line(keyword)) return false;
    while (!line_.empty()) {
      if (words.size() == kMaxWords) return fail("too many words");
      if (!text("an escaped word", take_word(), words.emplace_back())) return false;
    }
    return true;
  }

  template <typename Number>
  bool number_line(std::string_view keyword, Number& value) {
    return open_line(keyword) && number(fmt::format("a number after '{}'", keyword), take_word(), value) &&
           close_line();
  }

  bool hex_line(std::string_view keyword, uint64_t& value) {
    return open_line(keyword) && hex(fmt::format("a number such as 0x5eed after '{}'", keyword), take_word(), value) &&
           close_line();
  }

  bool flag_line(std::string_view keyword, std::string_view no, std::string_view yes, bool& value) {
    if (!open_line(keyword)) return false;
    const std::string_view word = take_word();
    value = word == yes;
    return (value || word == no || expected(fmt::format("'{}' or '{}'", no, yes), word)) && close_line();
  }

  // Only if the user named any.
  bool function_lines() {
    while (peek() == "function") {
      std::string text;
      if (s_.functions.size() == kMaxFunctionRules) return fail("too many functions");
      if (!text_line("function", text)) return false;
      Expected<FunctionRule> rule = parse_function_rule(text);
      if (!rule) return fail(rule.error().message, rule.error().hint);
      s_.functions.push_back(std::move(*rule));
    }
    return true;
  }

  bool unpatched_lines() {
    while (peek() == "unpatched") {
      if (s_.unpatched.size() == kMaxModules) return fail("too many files");
      if (!text_line("unpatched", s_.unpatched.emplace_back())) return false;
    }
    return true;
  }

  bool key_lines(RunKey& key) {
    return hex_line("seed", key.seed) && number_line("index", key.index) && number_line("epoch", key.profile.epoch) &&
           number_line("threads", key.profile.threads) &&
           (peek() != "at-once" || number_line("at-once", key.profile.at_once)) && own_stacks_lines(key.profile) &&
           number_line("steps", key.profile.steps);
  }

  bool own_stacks_lines(Profile& profile) {
    for (OwnStacks& own : profile.own_stacks) {
      if (peek() != "own-stacks") return true;
      if (!open_line("own-stacks") || !number("the size of a stack", take_word(), own.size) ||
          !number("the size of a guard", take_word(), own.guard_size) ||
          !number("how many threads there were", take_word(), own.threads) ||
          !number("how many there were at once", take_word(), own.at_once) || !close_line())
        return false;
    }
    return true;
  }

  bool other_settings() {
    return std::ranges::all_of(setting_lines().subspan(1),
                               [this](const SettingLine& line) { return setting_line(line); });
  }

  bool setting_line(const SettingLine& line) {
    std::string word;
    if (!line.always && peek() != line.keyword) return true;
    if (!text_line(line.keyword, word)) return false;
    if (line.take(word, s_.settings)) return true;
    return fail(fmt::format("expected {} after '{}', found {}{}", line.expected, line.keyword, quoted(word),
                            did_you_mean(word, line.names)));
  }

  // Only of a program that was followed.
  bool start_lines() {
    while (peek() == "environment") {
      if (s_.start.environment.size() == kMaxWords) return fail("too many variables");
      if (!text_line("environment", s_.start.environment.emplace_back())) return false;
    }
    while (peek() == "file")
      if (!file_line()) return false;
    return true;
  }

  bool file_line() {
    OpenedFile file;
    uint64_t flags = 0;
    if (s_.start.files.size() == kMaxModules) return fail("too many files");
    if (!open_line("file") || !number("a descriptor", take_word(), file.number)) return false;
    if (!hex("flags such as 0x8000", take_word(), flags)) return false;
    if (!number("an offset", take_word(), file.offset) || !text("a path", take_word(), file.path)) return false;
    if (file.number < 3) return fail("the first descriptor is 3");
    file.flags = static_cast<int>(flags);
    s_.start.files.push_back(std::move(file));
    return close_line();
  }

  // Only those that the user had.
  bool expectations() {
    Expectations e;
    if (peek() == "expect-exit" && !number_line("expect-exit", e.exit_code)) return false;
    if (e.exit_code < 0 || e.exit_code > 255) return fail("an exit code is from 0 to 255");
    while (peek() == "expect-output")
      if (!expected_output(e.output)) return false;
    while (peek() == "fail-on") {
      if (e.forbidden.size() == Expectations::kMostPatterns) return fail("too many patterns");
      if (!text_line("fail-on", e.forbidden.emplace_back())) return false;
    }
    if (e != Expectations()) s_.expectations = std::make_shared<const Expectations>(std::move(e));
    return true;
  }

  bool expected_output(std::optional<std::string>& output) {
    std::string piece;
    if (!text_line("expect-output", piece)) return false;
    output = output.value_or("") + piece;
    return output->size() <= Expectations::kMostOutput || fail("the expected output is too long");
  }

  bool failure_line() {
    if (!optional_line("failure", s_.failure)) return false;
    if (s_.failure.empty() || outcome_kind_named(s_.failure.c_str()) != OutcomeKind::kNone) return true;
    if (misuse_kind_named(s_.failure.c_str()) != MisuseKind::kNone) return true;
    std::vector<std::string> names = all_names<OutcomeKind>();
    for (std::string& name : all_names<MisuseKind>()) names.push_back(std::move(name));
    return fail(fmt::format("expected the name of an outcome or misuse, found {}{}", quoted(s_.failure),
                            did_you_mean(s_.failure, names)));
  }

  bool module_line() {
    uint32_t number_here = 0;
    ScheduleModule module;
    if (!open_line("module") || !prefixed("a module number such as m0", 'm', take_word(), number_here)) return false;
    if (number_here != s_.modules.size()) return fail(fmt::format("expected module m{}", s_.modules.size()));
    if (s_.modules.size() == kMaxModules) return fail(fmt::format("more than {} modules", kMaxModules));
    const std::string_view id = take_word();
    if (id != "-" && !text("a build id or '-'", id, module.build_id)) return false;
    if (!text("a path", take_word(), module.path)) return false;
    s_.modules.push_back(std::move(module));
    return close_line();
  }

  bool place_line(std::string_view keyword, std::vector<SchedulePlace>& places) {
    SchedulePlace p;
    if (places.size() == kMaxPlaces) return fail(fmt::format("more than {} places", kMaxPlaces));
    if (!open_line(keyword) || !module_and_offset(take_word(), p.module, p.offset)) return false;
    places.push_back(p);
    return close_line();
  }

  bool switch_line() {
    Switch w;
    if (s_.switches.size() == kMaxSwitches) return fail(fmt::format("more than {} switches", kMaxSwitches));
    if (!open_line("switch") || !number("a step", take_word(), w.step)) return false;
    if (!s_.switches.empty() && w.step < s_.switches.back().step) return fail("steps never go back");
    if (!thread(take_word(), w.from) || !thread(take_word(), w.to)) return false;
    if (!name("a reason", reason_named, w.reason) || !name("an operation", op_kind_named, w.kind)) return false;
    if (!place(w) || !number("an occurrence", take_word(), w.nth) || !comment(w)) return false;
    s_.switches.push_back(std::move(w));
    return true;
  }

  bool place(Switch& w) {
    const std::string_view word = take_word();
    return word == "-" || module_and_offset(word, w.module, w.offset);
  }

  bool module_and_offset(std::string_view word, uint32_t& module, uint64_t& offset) {
    const size_t plus = word.find('+');
    if (plus == std::string_view::npos) return expected("a place such as m0+0x11c9, or '-'", word);
    if (!prefixed("a place such as m0+0x11c9", 'm', word.substr(0, plus), module)) return false;
    if (module >= s_.modules.size()) return fail(fmt::format("there is no module m{}", module));
    return hex("a place such as m0+0x11c9", word.substr(plus + 1), offset);
  }

  bool comment(Switch& w) {
    if (line_.empty()) return true;
    if (line_.substr(0, 3) != " # ") return close_line();
    w.comment = line_.substr(3);
    return w.comment == comment_text(w.comment) || fail("a comment holds printable ASCII only");
  }

  bool last_line() {
    const std::string_view before = text_.substr(0, at_);
    if (!next_line()) return false;
    const std::string_view word = take_word();
    if (word != "end") return wrong_keyword("'switch' or 'end'", word);
    const std::string right = end_line(s_.switches.size(), before);
    if (text_.substr(line_start_, at_ - line_start_) != right)
      return fail("the file was changed or damaged: count or checksum don't match",
                  "if you edited it on purpose, make this its last line: " + right.substr(0, right.size() - 1));
    if (at_ == text_.size()) return true;
    ++line_number_;
    return fail("expected nothing behind the line 'end'");
  }

  bool expected(std::string_view what, std::string_view word) {
    return fail(fmt::format("expected {}, found {}", what, quoted(word)));
  }

  bool fail(std::string message, std::string hint = "") {
    error_ = std::move(message);
    hint_ = std::move(hint);
    return false;
  }

  std::string_view text_;
  std::string_view file_;
  size_t at_ = 0;  // where the next line begins
  size_t line_start_ = 0;
  size_t line_number_ = 0;
  std::string_view line_;  // what is left of the current line
  std::string error_, hint_;
  Schedule s_;
};

}  // namespace

Expected<Schedule> parse_schedule(std::string_view text, std::string_view file) { return Parser(text, file).parse(); }

}  // namespace snarl
