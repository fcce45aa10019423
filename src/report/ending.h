// How an exploration ended, for whoever writes of it. Plain data.
#pragma once

#include <optional>

#include "base/error.h"

namespace snarl::report {

struct Ending {
  bool tested = true;                 // the program was; otherwise people read of `problem` only
  int exit_code = 0;                  // of snarl
  std::optional<Error> problem = {};  // why there is no verdict

  // A verdict: something was found, or everything that was asked for was tried and passed.
  bool is_verdict() const { return tested && !problem && (exit_code == 0 || exit_code == 1); }
};

}  // namespace snarl::report
