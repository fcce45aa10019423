// Memory for one run, handed out in one direction and taken back all at once.
//
// Policies and models live inside the tested process, where malloc belongs to the program, so they allocate here. The
// owner chooses the size; running out of it is a bug of ours, hence a check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace snarl {

class Arena {
 public:
  Arena(void* memory, size_t size) : begin_(static_cast<char*>(memory)), at_(begin_), end_(begin_ + size) {}

  template <typename T, typename... Args>
  T* make(Args&&... args) {
    return new (take(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  template <typename T>
  std::span<T> array(size_t count) {
    T* first = static_cast<T*>(take(sizeof(T) * count, alignof(T)));
    for (size_t i = 0; i < count; ++i) new (first + i) T();
    return {first, count};
  }

  // The same, uninitialised: for tables of which a run uses little.
  template <typename T>
  std::span<T> room(size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(take(sizeof(T) * count, alignof(T))), count};
  }

  void reset() { at_ = begin_; }

 private:
  void* take(size_t size, size_t align) {
    const size_t pad = -reinterpret_cast<uintptr_t>(at_) % align;
    SNARL_CHECK(size + pad <= static_cast<size_t>(end_ - at_));
    void* result = at_ + pad;
    at_ += pad + size;
    return result;
  }

  char* begin_;
  char* at_;
  char* end_;
};

}  // namespace snarl
