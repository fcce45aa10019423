// What a program wrote to one descriptor, capped: the first and the last part are kept; the middle is counted and
// dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/output_hash.h"

namespace snarl::os {

// Is told of all bytes, in their order.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void hear(std::string_view bytes) = 0;
};

class Capture {
 public:
  static constexpr size_t kHead = 256 << 10;  // where a program says what it does
  static constexpr size_t kTail = 64 << 10;   // where it says why it fails

  // `head`: so much of the first part.
  explicit Capture(size_t head = kHead) : most_head_(head) {}

  void clear();
  void append(std::string_view bytes);
  // Reads all that is available now; the descriptor must be non-blocking. `listener` may be null.
  void drain(int fd, Listener* listener = nullptr);

  // The number of all bytes, dropped ones included.
  uint64_t size() const { return head_.size() + tail_.size() + dropped_; }
  bool cut() const { return dropped_ != 0; }
  const OutputHash& hash() const { return hash_; }  // of all bytes
  // The head, a line that says how much is missing (if anything is), and the tail.
  std::string text() const;

 private:
  void append_tail(std::string_view bytes);

  size_t most_head_;
  std::string head_;
  std::string tail_;  // a ring once it is full: its oldest byte is at `oldest_`
  size_t oldest_ = 0;
  uint64_t dropped_ = 0;
  OutputHash hash_;
};

}  // namespace snarl::os
