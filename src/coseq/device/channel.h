// The bytes between snarl-lanes and the process that has the driver.
//
// Drivers bring their own LLVM, which can't live in one process with ours, and may die: so they have a process of their
// own. Both ends are the same build: what goes over is memory as it is.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace snarl::coseq {

constexpr int kChannel = 3;  // the file of the driver's process

class Channel {
 public:
  explicit Channel(int file) : file_(file) {}

  bool put(const void* bytes, size_t size) const {
    for (const char* at = static_cast<const char*>(bytes); size > 0;) {
      const ssize_t done = send(file_, at, size, MSG_NOSIGNAL);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      at += done;
      size -= static_cast<size_t>(done);
    }
    return true;
  }
  bool get(void* bytes, size_t size) const {
    for (char* at = static_cast<char*>(bytes); size > 0;) {
      const ssize_t done = recv(file_, at, size, 0);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      at += done;
      size -= static_cast<size_t>(done);
    }
    return true;
  }
  template <typename T>
  bool put_list(const T* list, uint64_t count) const {
    return put(&count, sizeof count) && put(list, count * sizeof(T));
  }
  template <typename List>
  bool get_list(List& list) const {
    uint64_t count = 0;
    if (!get(&count, sizeof count)) return false;
    list.resize(count);
    return get(list.data(), count * sizeof(list[0]));
  }
  // Empty: all is well.
  bool put_error(const Error& error) const {
    return put_list(error.message.data(), error.message.size()) && put_list(error.hint.data(), error.hint.size());
  }
  bool get_error(Error& error) const { return get_list(error.message) && get_list(error.hint); }

 private:
  const int file_;
};

}  // namespace snarl::coseq
