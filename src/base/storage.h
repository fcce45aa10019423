// Room for N values that do not exist until they are assigned. An assignment must not look at what it overwrites.
//
// Tables in the tested process are sized for the worst case. Constructing them would touch (and, after a fork, copy)
// megabytes for every run.
#pragma once

#include <cstddef>
#include <type_traits>

namespace snarl {

template <typename T, size_t N>
class Storage {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Storage() {}  // NOLINT: leaves bytes_ alone on purpose

  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* data() { return reinterpret_cast<T*>(bytes_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_); }

 private:
  alignas(T) unsigned char bytes_[N * sizeof(T)];
};

}  // namespace snarl
