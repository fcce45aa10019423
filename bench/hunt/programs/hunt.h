// What the wrong programs of this folder share. Each source names its sizes in its first line; THREADS is one of them,
// the number of threads that main starts.
#pragma once

#include <cstdlib>
#include <thread>
#include <vector>

// Not assert: NDEBUG must not change what the programs do.
#define EXPECT(condition) ((condition) ? static_cast<void>(0) : std::abort())

// Runs body(0), body(1), ... in a thread each, and waits for all of them.
template <typename Body>
void crowd(int threads, Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (std::thread& thread : all) thread.join();
}
