#include "cli/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace snarl::cli {
namespace {

struct Wrong {
  int line;
  std::string what;
  std::string hint;
};

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }

// Reads from the front; throws Wrong, which parse_toml turns into an Error.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  Toml parse() {
    for (skip_lines(); !at_end(); skip_lines()) {
      if (peek() == '[')
        section();
      else
        setting();
      end_of_line();
    }
    return std::move(result_);
  }

 private:
  bool at_end() const { return text_.empty(); }
  char peek() const { return at_end() ? '\n' : text_.front(); }
  char take() {
    const char c = peek();
    if (at_end()) return c;
    if (c == '\n') ++line_;
    text_.remove_prefix(1);
    return c;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    throw Wrong{line_, what, hint};
  }

  void skip_blanks() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || text_.starts_with("\r\n"))) take();
  }
  void skip_comment() {
    if (peek() != '#') return;
    for (; !at_end() && peek() != '\n'; take())
      if (is_control(peek()) && !text_.starts_with("\r\n")) fail("a control character in a comment");
  }
  void skip_lines() {
    for (;;) {
      skip_blanks();
      skip_comment();
      if (at_end() || peek() != '\n') return;
      take();
    }
  }
  void end_of_line() {
    skip_blanks();
    skip_comment();
    if (peek() != '\n')
      fail(fmt::format("what is '{}' doing after the value?", rest_of_line()), "one key = value per line");
  }
  std::string rest_of_line() const {
    return std::string(text_.substr(0, std::min(text_.find_first_of("\r\n"), size_t{20})));
  }

  std::string bare_word(const char* what) {
    std::string word;
    while (!at_end() && is_bare(peek())) word += take();
    if (word.empty())
      fail(fmt::format("expected {} instead of '{}'", what, rest_of_line()), "lines are: key = value, or [section]");
    return word;
  }

  void section() {
    take();
    if (peek() == '[') fail("arrays of tables ([[...]]) are not known here", "write [section]");
    skip_blanks();
    const int line = line_;
    section_ = bare_word("the name of a section");
    skip_blanks();
    if (take() != ']') throw Wrong{line, fmt::format("the section [{}] is not closed", section_), "write [section]"};
    if (std::ranges::find(result_.sections, section_, &std::pair<std::string, int>::first) != result_.sections.end())
      throw Wrong{line, fmt::format("a second section [{}]", section_), "put its keys into the first"};
    for (const Setting& setting : result_.settings)
      if (setting.section.empty() && setting.key == section_)
        throw Wrong{
            line, fmt::format("'{}' is a key in line {}, and can't be a section too", section_, setting.line), {}};
    result_.sections.emplace_back(section_, line);
  }

  void setting() {
    Setting setting;
    setting.section = section_;
    setting.line = line_;
    setting.key = bare_word("a key");
    if (peek() == '.') fail("dotted keys are not known here", "write a [section] above the keys");
    skip_blanks();
    if (peek() != '=')
      fail(fmt::format("'{}' has no value", setting.key), fmt::format("write {} = value", setting.key));
    take();
    skip_blanks();
    value(setting);
    for (const Setting& other : result_.settings)
      if (other.section == setting.section && other.key == setting.key)
        throw Wrong{setting.line, fmt::format("'{}' is there twice, first in line {}", setting.key, other.line), {}};
    result_.settings.push_back(std::move(setting));
  }

  void value(Setting& setting) {
    if (peek() == '"' || peek() == '\'') {
      setting.values = {string()};
    } else if (peek() == '[') {
      setting.type = Setting::Type::kList;
      list(setting);
    } else {
      word(setting);
    }
  }

  std::string string() {
    const char quote = take();
    if (text_.size() > 1 && text_[0] == quote && text_[1] == quote)
      fail("strings over several lines are not known here");
    std::string result;
    while (peek() != quote) {
      if (at_end() || peek() == '\n') fail("a string is not closed", fmt::format("end it with {}", quote));
      if (is_control(peek())) fail("a control character in a string");
      const char c = take();
      result += c == '\\' && quote == '"' ? escaped() : c;
    }
    take();
    return result;
  }

  char escaped() {
    constexpr std::string_view kNames = "\"\\nt", kValues = "\"\\\n\t";
    const size_t at = kNames.find(peek());
    if (at_end() || at == kNames.npos)
      fail(fmt::format("unknown escape \\{}", peek()), "a 'literal' string has no escapes");
    take();
    return kValues[at];
  }

  void list(Setting& setting) {
    take();
    for (;;) {
      skip_lines();
      if (peek() == ']') break;
      if (at_end()) list_not_closed(setting);
      if (peek() != '"' && peek() != '\'') fail("a list holds strings here", "quote each: [\"a\", \"b\"]");
      setting.values.push_back(string());
      skip_lines();
      if (peek() == ']') break;
      if (at_end()) list_not_closed(setting);
      if (peek() != ',') fail("a comma is missing between the strings of a list");
      take();
    }
    take();
  }

  [[noreturn]] static void list_not_closed(const Setting& setting) {
    throw Wrong{setting.line, fmt::format("the list of '{}' is not closed", setting.key), "end it with ]"};
  }

  // true, false or a number.
  void word(Setting& setting) {
    std::string text;
    while (!at_end() && (is_bare(peek()) || peek() == '.' || peek() == '+')) text += take();
    if (text == "true" || text == "false") {
      setting.type = Setting::Type::kBool;
    } else if (is_number(text)) {
      setting.type = Setting::Type::kNumber;
      std::erase(text, '_');
    } else if (text.empty()) {
      fail(fmt::format("'{}' has no value that is known here", setting.key),
           "a \"string\", a number, true, false or a list of strings");
    } else {
      fail(fmt::format("'{}' is no value", text), fmt::format("as a string: {} = \"{}\"", setting.key, text));
    }
    setting.values = {text};
  }

  // Decimal, or 0x; digits before and after a point and an underscore.
  static bool is_number(std::string_view text) {
    if (text.starts_with("0x"))
      return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    if (text.size() > 1 && text[0] == '0' && text[1] != '.') return false;  // not octal, and not to be taken for it
    bool after_digit = false, point = false;
    for (const char c : text) {
      const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
      if (!digit && !(after_digit && (c == '_' || (c == '.' && !point)))) return false;
      point |= c == '.';
      after_digit = digit;
    }
    return after_digit;
  }

  std::string_view text_;
  int line_ = 1;
  std::string section_;
  Toml result_;
};

}  // namespace

Expected<Toml> parse_toml(std::string_view text, const std::string& file) {
  try {
    return Parser(text).parse();
  } catch (const Wrong& wrong) {
    return Error{fmt::format("{}:{}: {}", file, wrong.line, wrong.what), wrong.hint, 2};
  }
}

}  // namespace snarl::cli
