#include "os/capture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace snarl::os {

void Capture::clear() { *this = Capture(most_head_); }

void Capture::append(std::string_view bytes) {
  hash_.add(bytes);
  const size_t first = std::min(bytes.size(), most_head_ - head_.size());
  head_.append(bytes.substr(0, first));
  append_tail(bytes.substr(first));
}

void Capture::append_tail(std::string_view bytes) {
  if (bytes.size() > kTail) {
    dropped_ += bytes.size() - kTail;
    bytes.remove_prefix(bytes.size() - kTail);
  }
  const size_t room = std::min(bytes.size(), kTail - tail_.size());
  tail_.append(bytes.substr(0, room));
  bytes.remove_prefix(room);
  dropped_ += bytes.size();
  while (!bytes.empty()) {  // at most twice: up to the end, and from the start
    const size_t part = bytes.copy(tail_.data() + oldest_, kTail - oldest_);
    oldest_ = (oldest_ + part) % kTail;
    bytes.remove_prefix(part);
  }
}

void Capture::drain(int fd, Listener* listener) {
  char buffer[64 << 10];
  // A writer that outruns us must not keep us here: 64 rounds are 4 MiB.
  for (int round = 0; round < 64; ++round) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const std::string_view bytes(buffer, static_cast<size_t>(got));
    append(bytes);
    if (listener != nullptr) listener->hear(bytes);
    if (static_cast<size_t>(got) < sizeof buffer) return;  // there was no more
  }
}

std::string Capture::text() const {
  std::string result = head_;
  if (cut()) result += fmt::format("\n[snarl: {} bytes left out]\n", dropped_);
  result.append(tail_, oldest_, std::string::npos);
  result.append(tail_, 0, oldest_);
  return result;
}

}  // namespace snarl::os
