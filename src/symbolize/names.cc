#include "symbolize/names.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace snarl::symbolize {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

// Reads a demangled name from left to right and keeps the short form in `out_`.
// Whatever was kept before a space at nesting depth 0 was the return type.
class Shortener {
 public:
  explicit Shortener(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size() && !done_) step();
    return out_;
  }

 private:
  bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (sees(kAnonymous)) return skip(kAnonymous.size());
    if (sees("operator") && at_word()) return take_operator();
    switch (text_[at_]) {
      case '<': return skip_group('<', '>');
      case '(': return skip_parameters();
      case '{': return take_braces();
      case '[': return skip_group('[', ']');
      case '$': return take_clang_lambda();
      case ' ': return take_space();
      default: out_ += text_[at_++];
    }
  }

  void skip(size_t n) { at_ += n; }

  bool at_word() const {
    const size_t after = at_ + 8;  // the length of "operator"
    return (at_ == 0 || !is_identifier(text_[at_ - 1])) && (after >= text_.size() || !is_identifier(text_[after]));
  }

  // Leaves at_ behind the bracket that closes the one at at_.
  void skip_group(char open, char close) {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      const bool arrow = c == '>' && at_ >= 2 && text_[at_ - 2] == '-';
      if (c == open) ++depth;
      if (c == close && !arrow && --depth == 0) return;
    }
  }

  void skip_parameters() {
    const bool in_type = out_ == "decltype";
    skip_group('(', ')');
    while (sees(" const") || sees("[abi")) sees(" ") ? skip(6) : skip_group('[', ']');
    if (!in_type && !sees("::")) done_ = true;
  }

  // {lambda(int)#1} and what its only member is called.
  void take_braces() {
    const size_t begin = at_;
    skip_group('{', '}');
    const std::string_view group = text_.substr(begin, at_ - begin);
    if (!group.starts_with("{lambda")) {
      out_ += group;
      return;
    }
    out_ += "{lambda}";
    skip_call_operator();
  }

  // clang numbers its lambdas: main::$_0::operator()() const.
  void take_clang_lambda() {
    if (!sees("$_") || (!out_.empty() && is_identifier(out_.back()))) {
      out_ += text_[at_++];
      return;
    }
    skip(2);
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    out_ += "{lambda}";
    skip_call_operator();
  }

  void skip_call_operator() {
    if (sees("::operator()")) skip(12);
    if (sees("::_FUN")) skip(6);
    if (sees("::__invoke")) skip(10);
  }

  // operator<, operator(), operator new[], operator bool, operator""_s.
  void take_operator() {
    const size_t begin = at_;
    at_ += 8;
    if (sees("()")) {
      skip(2);
    } else if (sees(" ") || sees("\"")) {
      while (at_ < text_.size() && text_[at_] != '(') text_[at_] == '<' ? skip_group('<', '>') : skip(1);
    } else {
      take_operator_sign();
    }
    out_ += text_.substr(begin, at_ - begin);
  }

  // `operator<` is followed by its parameters or by template arguments
  // ("operator< <int>"), so that at most three sign characters belong to it.
  void take_operator_sign() {
    for (std::string_view sign : {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "[]"}) {
      if (sees(sign)) return skip(sign.size());
    }
    const size_t end = text_.find_first_of("<( ", at_ + 1);
    at_ = end == std::string_view::npos ? text_.size() : end;
  }

  void take_space() {
    skip(1);
    if (sees("[clone") || sees("<") || (out_ == "decltype" && sees("("))) return;
    out_.clear();
  }

  std::string_view text_;
  size_t at_ = 0;
  bool done_ = false;
  std::string out_;
};

// Where "+0x1f" begins, or the length of the text.
size_t offset_suffix(std::string_view text) {
  const size_t plus = text.rfind("+0x");
  if (plus == std::string_view::npos) return text.size();
  return text.find_first_not_of("0123456789abcdef", plus + 3) == std::string_view::npos ? plus : text.size();
}

}  // namespace

std::string demangle(const char* symbol) {
  if (symbol[0] != '_' || symbol[1] != 'Z') return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : symbol;
}

std::string short_function_name(std::string_view demangled) {
  const size_t end = offset_suffix(demangled);
  std::string name = Shortener(demangled.substr(0, end)).run();
  if (name.empty()) return std::string(demangled);
  return name.append(demangled.substr(end));
}

std::string without_anonymous(std::string_view name) {
  std::string out(name);
  for (size_t at = out.find(kAnonymous); at != std::string::npos; at = out.find(kAnonymous, at)) {
    out.erase(at, kAnonymous.size());
  }
  return out;
}

bool is_system_function(std::string_view short_name) {
  for (std::string_view prefix : {"std::", "__gnu_cxx::", "__cxxabiv1::", "__"}) {
    if (short_name.starts_with(prefix)) return true;
  }
  return false;
}

std::string short_variable_name(std::string name) {
  if (name.starts_with("std::__")) return "";  // libstdc++ uses these for many unrelated waits
  for (const char* stream : {"stdin", "stdout", "stderr"})
    if (name.starts_with(std::string("_IO_2_1_") + stream + "_")) return stream;
  for (const char* mark : {"._M_", ".__", ".std::", ".<"}) name = name.substr(0, name.find(mark));
  return name;
}

}  // namespace snarl::symbolize
