// Guard pages that need no area of their own. libc puts a part that nobody may touch below each stack, and to the
// kernel stack and guard are two areas, which each copy of the process pays for. A kernel since Linux 6.15 can mark
// pages of an area instead: stacks that lie side by side are then one area, and whoever touches a guard still gets
// SIGSEGV.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace snarl::runtime::guard_pages {

// The part of that size below the area of that address, which libc made unreadable, is marked instead. Nothing changes
// if it isn't there or the kernel can't. Returns where the part begins; 0: it isn't marked.
uint64_t mark_below(uint64_t address, size_t size);

// Marks parts of an area that may be written, in few calls.
void mark(const iovec* parts, unsigned long count);

// Does an entry of the page map (platform/page_notes.h) say that the page is marked?
constexpr bool is_marked(uint64_t entry) { return (entry >> 58 & 1) != 0; }

}  // namespace snarl::runtime::guard_pages
