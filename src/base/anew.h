// Makes a value new where it is.
//
// `x = T()` puts a T together elsewhere, by small pieces, and copies it in larger ones, for which the processor waits
// until the small ones have arrived (store forwarding); in a short run such waits added up to a tenth.
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
