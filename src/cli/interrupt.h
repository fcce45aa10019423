// Ctrl-C, SIGTERM, SIGQUIT and SIGHUP as a descriptor that becomes readable.
#pragma once

#include "os/fd.h"

namespace snarl::cli {

class Interrupt {
 public:
  // Blocks them from here on. Once per process.
  Interrupt();

  int fd() const { return fd_.get(); }
  // The signal that came, or 0.
  int taken();

 private:
  os::Fd fd_;
  int number_ = 0;
};

}  // namespace snarl::cli
