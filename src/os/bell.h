// Wakes a thread that waits in poll. Any thread may ring; fd() is then readable until the owner has heard it.
#pragma once

#include <sys/eventfd.h>

#include "os/system.h"

namespace snarl::os {

class Bell {
 public:
  static Expected<Bell> create() {
    Fd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd) return system_error("can't make an eventfd");
    return Bell(std::move(fd));
  }

  int fd() const { return fd_.get(); }
  void ring() { eventfd_write(fd_.get(), 1); }
  void hear() {
    eventfd_t times;
    eventfd_read(fd_.get(), &times);
  }

 private:
  explicit Bell(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
};

}  // namespace snarl::os
