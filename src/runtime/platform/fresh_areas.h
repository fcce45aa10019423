// Areas of memory that fork does not copy. A copy of the process finds them empty and writes what stood there itself:
// their lines that are not zero, from one dense list. fork copies a page table for each part of 2 MiB and a page for
// each write to one, which costs far more when most of an area is empty and no two pages share a table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snarl::runtime::fresh_areas {

struct Stack {
  uint64_t begin = 0, end = 0;  // with its guard
  size_t guard_size = 0;        // of the lowest part, which is marked (guard_pages.h)
};

// In the process that is copied. From here on all areas are copied by fork again.
void forget();
// A part that nobody writes any more in this process. Those that lie side by side are best added one after the other.
void add(const Stack& stack);
// They are empty in copies from here on. Nothing changes if the kernel can't.
void keep();

// In a copy, before it looks at them: they hold what they held, and its own copies get them as ever.
void renew();

}  // namespace snarl::runtime::fresh_areas
