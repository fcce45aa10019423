// What the programs of the noise figures are made of: variables whose accesses are atomic one by one, and ways of many
// places through a program.
//
// The paper's programs are in Java and not ours; these have its bugs, and a place for every ten to twenty lines of its
// figure 5. Every access is in line, so that it has places of its own: one where the variable's lock is taken and one
// where it is given back.
#pragma once

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#define NOISE_INLINE __attribute__((always_inline)) inline

// One place for all who call it: a call that comes last would be the caller's own.
__attribute__((noinline)) inline void release(pthread_mutex_t* lock) {
  pthread_mutex_unlock(lock);
  __asm__ volatile("");
}

template <typename T>
class Shared {
 public:
  NOISE_INLINE T get() {
    pthread_mutex_lock(&lock_);
    const T value = value_;
    pthread_mutex_unlock(&lock_);
    return value;
  }
  NOISE_INLINE void set(T value) {
    pthread_mutex_lock(&lock_);
    value_ = value;
    pthread_mutex_unlock(&lock_);
  }
  // Given back at a place that all who only look share.
  NOISE_INLINE T look() {
    pthread_mutex_lock(&lock_);
    const T value = value_;
    release(&lock_);
    return value;
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  T value_{};
};

// A part of the program that looks at one variable after the other, each at a place of its own.
template <int kVariables>
struct Way {
  Shared<int> variables[kVariables];

  template <int kAt = 0>
  int walk() {
    if constexpr (kAt < kVariables)
      return variables[kAt].look() + walk<kAt + 1>();
    else
      return 0;
  }
};

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Runs `other` in a thread beside `own`, which goes first.
template <typename Own, typename Other>
void run_beside(Own own, Other other) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void* f) -> void* { return (*static_cast<Other*>(f))(), nullptr; }, &other);
  own();
  pthread_join(thread, nullptr);
}
