// Errors of the user and of the environment, as values.
//
// An Error is a sentence for a person and, if there is one, a hint that says what to do about it. Expected<T> is either
// a T or an Error. Our own bugs are not Errors (see check.h); the tested program's bugs are Findings.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace snarl {

struct Error {
  std::string message;
  std::string hint = {};
  int exit_code = 125;  // what the verb returns when this reaches it: 2 for wrong usage, 125 for the environment, ...
};

template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design, so that functions return either
  Expected(Error error) : state_(std::move(error)) {}  // NOLINT

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};  // the value of an operation that only succeeds or fails
using Status = Expected<Done>;

}  // namespace snarl
