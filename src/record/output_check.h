// Compares what a run writes with what is expected of it, while it comes: of any length, and nothing is kept but the
// line that it is at.
//
// What a fork server wrote before main is part of each of its runs: mark() there, and rewind() before each. By one
// thread.
#pragma once

#include <regex.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/capture.h"
#include "record/record.h"
#include "schedule/expectations.h"
#include "schedule/wrong_output.h"

namespace snarl::record {

// A POSIX extended regular expression, as of grep -E.
class Pattern {
 public:
  static Expected<Pattern> compile(const std::string& text);
  bool matches(std::string_view line) const;
  const std::string& text() const { return text_; }

 private:
  struct Free {
    void operator()(regex_t* regex) const;
  };
  std::string text_;
  std::unique_ptr<regex_t, Free> regex_;
};

// The standard output, up to the first difference and to the end of its line.
class Comparison {
 public:
  void hear(std::string_view expected, std::string_view bytes);
  WrongOutput result(std::string_view expected) const;

 private:
  size_t same_ = 0;  // bytes that are as expected
  bool differs_ = false, line_ended_ = false;
  std::string rest_;  // of the line that differs
};

// One stream, line by line, up to the first that matches.
class LineWatch {
 public:
  void hear(const std::vector<Pattern>& forbidden, std::string_view bytes);
  WrongOutput result(const std::vector<Pattern>& forbidden) const;

 private:
  WrongOutput look(const std::vector<Pattern>& forbidden) const;

  uint64_t number_ = 1;
  std::string line_;
  WrongOutput found_;
};

class OutputCheck {
 public:
  // `expected` is not null. An error if a pattern is not a regular expression (exit code 2).
  static Expected<std::unique_ptr<OutputCheck>> create(std::shared_ptr<const Expectations> expected);

  os::Listener& out() { return out_; }
  os::Listener& err() { return err_; }

  void forget() { heard_ = at_mark_ = {}; }
  void mark() { at_mark_ = heard_; }
  void rewind() { heard_ = at_mark_; }

  // Replaces the outcome of a run that ended by itself: its exit code is the expected one or not, and if it is, its
  // output is right or not. To be asked after settle().
  void judge(RunRecord& record) const;

 private:
  struct Heard {
    Comparison comparison;
    LineWatch out, err;
  };
  struct Out final : os::Listener {
    explicit Out(OutputCheck& owner) : check(owner) {}
    void hear(std::string_view bytes) override;
    OutputCheck& check;
  };
  struct Err final : os::Listener {
    explicit Err(OutputCheck& owner) : check(owner) {}
    void hear(std::string_view bytes) override;
    OutputCheck& check;
  };

  OutputCheck(std::shared_ptr<const Expectations> expected, std::vector<Pattern> forbidden)
      : expected_(std::move(expected)), forbidden_(std::move(forbidden)) {}
  WrongOutput result() const;

  const std::shared_ptr<const Expectations> expected_;
  const std::vector<Pattern> forbidden_;
  Heard heard_, at_mark_;
  Out out_{*this};
  Err err_{*this};
};

}  // namespace snarl::record
