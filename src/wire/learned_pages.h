// The end of the wire: which pages runs write, and which of their code they use, from a run to the fork server that
// made it.
#pragma once

#include <atomic>
#include <cstdint>

#include "wire/layout.h"
#include "wire/series.h"

namespace snarl::wire {

constexpr uint32_t kMaxPageRanges = 2047;  // eight pages with the count

struct PageRange {
  uint64_t begin = 0, end = 0;
};

struct LearnedPages {
  std::atomic<uint32_t> count{0};  // 0: nothing new
  uint32_t unused = 0;
  PageRange ranges[kMaxPageRanges];
};

// The memory itself, with the runs of reset rewind.
struct Whole {
  Layout layout;
  alignas(4096) LearnedPages written;
  alignas(4096) LearnedPages code;
  alignas(4096) Series series;
};

}  // namespace snarl::wire
