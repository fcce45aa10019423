// What the tested program reads on descriptor 0, the same for every run.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "os/fd.h"

namespace snarl::os {

class StandardInput {
 public:
  static constexpr size_t kMostFromPipe = 64 << 20;

  // A terminal (or no input) becomes /dev/null. A regular file is opened anew for each process. Anything else is read
  // to its end first; `waiting` is called once if that takes longer than two seconds.
  static Expected<StandardInput> prepare(int fd, const std::function<void()>& waiting);

  // These bytes, whatever happens to the file that they were read from.
  static Expected<StandardInput> from_text(std::string_view text);

  // A descriptor for one more process, at the position where ours is, with its own file offset.
  Expected<Fd> open() const;

  // All of it; empty if there is none, or more than `most` bytes.
  Expected<std::string> text(size_t most) const;

 private:
  explicit StandardInput(Fd source, long offset) : source_(std::move(source)), offset_(offset) {}

  Fd source_;  // none: /dev/null
  long offset_ = 0;
};

}  // namespace snarl::os
