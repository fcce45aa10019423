// Makes a value new where it is.
//
// `x = T()` builds a T elsewhere, in small pieces, and copies it in larger ones. The processor then waits until the
// small pieces have arrived (store forwarding), which is measurable in a short run.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

namespace snarl {

template <typename T, typename... Arguments>
T& make_anew(T& value, Arguments&&... arguments) {
  static_assert(std::is_trivially_destructible_v<T>);
  return *new (&value) T{std::forward<Arguments>(arguments)...};
}

}  // namespace snarl
