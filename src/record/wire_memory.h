// The explorer's end of the wire: a sealed memfd, mapped.
#pragma once

#include "base/error.h"
#include "os/fd.h"
#include "wire/learned_pages.h"

namespace snarl::record {

class WireMemory {
 public:
  // A new wire: all zero but for magic, version and size; it can't be resized.
  static Expected<WireMemory> create();

  WireMemory(WireMemory&& other) noexcept;
  WireMemory& operator=(WireMemory&&) = delete;
  ~WireMemory();

  int fd() const { return fd_.get(); }
  wire::Layout& layout() { return *layout_; }
  const wire::Layout& layout() const { return *layout_; }
  const wire::Whole& whole() const { return *reinterpret_cast<const wire::Whole*>(layout_); }
  wire::Whole& whole() { return *reinterpret_cast<wire::Whole*>(layout_); }

 private:
  WireMemory(os::Fd fd, wire::Layout* layout) : fd_(std::move(fd)), layout_(layout) {}

  os::Fd fd_;
  wire::Layout* layout_;
};

}  // namespace snarl::record
