// All outlines that take the turn from a running thread at few places, fewest first.
//
// The first part is of the thread that begins. Every part but the last ends after one of its thread's steps, or where
// the thread can't continue; the last one goes on as far as its thread can. What runs after that the policy `outline`
// says.
//
// Pure, by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/outline.h"

namespace snarl {

class FewParts {
 public:
  static constexpr uint64_t kToTheEnd = std::numeric_limits<uint64_t>::max();

  // `threads`: each with the steps that it took; the first one begins.
  explicit FewParts(std::vector<OutlinePart> threads) : threads_(std::move(threads)) {}

  // How many times the next outline takes the turn from a thread.
  size_t breaks() const { return parts_.empty() ? 1 : parts_.size() - 1; }

  // None: with one thread there is nothing to choose.
  std::optional<Outline> next() {
    if (threads_.size() < 2) return std::nullopt;
    if (parts_.empty()) {
      begin(2);
    } else {
      advance();
    }
    Outline outline;
    for (const Part& part : parts_) outline.push_back({threads_[part.thread].thread, part.until});
    outline.back().until = kToTheEnd;
    return outline;
  }

 private:
  struct Part {
    size_t thread = 0;   // in threads_
    uint64_t until = 0;  // after the last of the thread's steps: to the end
  };

  void begin(size_t parts) {
    parts_.assign(parts, Part{});
    for (size_t i = 0; i < parts; ++i) set_first(i);
  }

  void set_first(size_t i) { parts_[i] = {i > 0 && parts_[i - 1].thread == 0 ? size_t{1} : size_t{0}, 1}; }

  // As an odometer does: the last part changes fastest.
  void advance() {
    for (size_t i = parts_.size(); i-- > 0;) {
      if (!step(i)) continue;
      for (size_t j = i + 1; j < parts_.size(); ++j) set_first(j);
      return;
    }
    begin(parts_.size() + 1);
  }

  // False: it has had all its values.
  bool step(size_t i) {
    Part& part = parts_[i];
    const bool is_last = i + 1 == parts_.size();
    if (!is_last && part.until != kToTheEnd) {
      part.until = part.until < threads_[part.thread].until ? part.until + 1 : kToTheEnd;
      return true;
    }
    if (i == 0) return false;
    ++part.thread;
    if (part.thread == parts_[i - 1].thread) ++part.thread;
    part.until = 1;
    return part.thread < threads_.size();
  }

  std::vector<OutlinePart> threads_;
  std::vector<Part> parts_;
};

}  // namespace snarl
