// What the kernels share: 8 threads, each told its number, and a checksum that proves the work.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int kThreads = 8;

// Real work that no compiler can shorten: about a nanosecond per round.
inline uint64_t spin(uint64_t seed, int rounds) {
  for (int i = 0; i < rounds; ++i) seed = seed * 6364136223846793005u + 1442695040888963407u;
  asm volatile("" : "+r"(seed));  // used
  return seed;
}

template <typename F>
void run_threads(F&& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

inline int check(uint64_t got, uint64_t wanted) {
  if (got == wanted) return 0;
  std::fprintf(stderr, "wrong result: %llu instead of %llu\n", static_cast<unsigned long long>(got),
               static_cast<unsigned long long>(wanted));
  return 1;
}
