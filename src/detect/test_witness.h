// Goes through a predicted order of a trace as a program would, with its memory and its locks.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "detect/sync_preserving.h"
#include "detect/test_predict.h"

namespace snarl::detect {

inline void expect_possible(const Trace& trace, const std::vector<Stretch>& witness) {
  std::map<int, std::vector<Told>> of_thread;
  for (const Told& told : trace) of_thread[told.thread].push_back(told);
  std::map<int, size_t> taken;
  std::map<int, int> memory, owner;
  for (const Stretch& stretch : witness) {
    const int thread = static_cast<int>(stretch.ordinal);
    while (taken[thread] < stretch.steps) {
      const Told& told = of_thread[thread][taken[thread]++];
      if (does_read(told.did)) {
        EXPECT_EQ(memory[told.object], told.value);
      }
      if (does_write(told.did)) memory[told.object] = told.value;
      if (told.did == Did::kAcquire) {
        EXPECT_EQ(owner[told.object]++, 0);
      }
      if (told.did == Did::kRelease) owner[told.object] = 0;
    }
  }
}

}  // namespace snarl::detect
