// How a program is started, as far as that is not how snarl itself was (--follow). Plain data.
#pragma once

#include <string>
#include <vector>

#include "base/opened_file.h"

namespace snarl {

struct Start {
  std::vector<std::string> environment = {};  // "NAME=value"; "NAME": a variable that it has not
  std::vector<OpenedFile> files = {};         // other than 0, 1 and 2

  bool operator==(const Start&) const = default;
};

}  // namespace snarl
