// Programs in which a place matters that few schedules come to: whoever learns which places are shared from a few runs,
// and then learns no more, does not find the bug with some seeds. What is shared is volatile, so that the compiler
// leaves each access where it is.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdlib>

inline void check(bool good) {
  if (!good) abort();
}

// Each of them in a thread of its own.
template <typename... Bodies>
void run(Bodies... bodies) {
  constexpr int kCount = sizeof...(Bodies);
  void (*all[kCount])() = {bodies...};
  pthread_t threads[kCount];
  for (int i = 0; i < kCount; ++i)
    pthread_create(
        &threads[i], nullptr, [](void* body) -> void* { return reinterpret_cast<void (*)()>(body)(), nullptr; },
        reinterpret_cast<void*>(all[i]));
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
