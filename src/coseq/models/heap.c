/* malloc and its family: blocks of a size class, each between red zones. What was freed stays poisoned until the next
 * block of that class is asked for after kQuarantine others were freed. */
#include <errno.h>

#include "coseq/models/intrinsics.h"

typedef unsigned long size_t;

/* What stands in the red zone before a block, at these distances from it. */
enum { kSize = 16, kState = 12, kNext = 8, kClass = 4 };
enum { kLive = 0x4c495645, kFreed = 0x46524545, kInside = 0x494e5349, kQuarantine = 4, kClasses = 24 };

static unsigned tails[kClasses], counts[kClasses];

static unsigned class_of(size_t size) {
  unsigned class = 0;
  while ((16ul << class) < size) ++class;
  return class;
}

static unsigned fresh(unsigned class) {
  const size_t room = (16ul << class) + 32;
  const unsigned at = LANE->heap;
  if (room > kLaneHeapEnd - at) snarl_lane_end(kLaneNoMemory, 0, room);
  LANE->heap = at + (unsigned)room;
  return at + 16;
}

static unsigned take(unsigned class) {
  const unsigned at = LANE->free_lists[class];
  if (at == 0 || counts[class] <= kQuarantine) return fresh(class);
  --counts[class];
  LANE->free_lists[class] = snarl_lane_peek(at - kNext);
  return at;
}

static void* allocate(size_t size, int with) {
  if (size > kLaneHeapEnd - kLaneHeap) return 0;
  const unsigned class = class_of(size == 0 ? 1 : size), at = take(class);
  snarl_lane_poke(at - kSize, (unsigned)size);
  snarl_lane_poke(at - kState, kLive);
  snarl_lane_poke(at - kNext, 0);
  snarl_lane_poke(at - kClass, class);
  snarl_lane_poison(at - 16, 16, kShadowHeap);
  snarl_lane_poison(at, (unsigned)size, 0);
  const unsigned whole = (unsigned)size & ~7u;
  snarl_lane_poison(at + whole, (16u << class) + 16 - whole, kShadowHeap);
  if (size & 7) snarl_lane_poison(at + whole, 8, size & 7);
  snarl_lane_fill((void*)(unsigned long)at, with, size);
  snarl_lane_tell(kTellAllocated, (void*)(unsigned long)at, size);
  BARRIER;
  return (void*)(unsigned long)at;
}

/* The same bytes in each lane: what a program reads before it wrote must not depend on the lane before. */
void* malloc(size_t size) { return allocate(size, 0xbe); }

void* calloc(size_t count, size_t size) {
  if (size != 0 && count > kLaneHeapEnd / size) return 0;
  return allocate(count * size, 0);
}

static unsigned block_at(void* pointer) {
  unsigned at = (unsigned)(unsigned long)pointer;
  if (at >= kLaneHeap + 16 && at < LANE->heap && !(at & 15) && snarl_lane_peek(at - kState) == kInside)
    at = snarl_lane_peek(at - kNext); /* of a larger block, for the alignment */
  if (at < kLaneHeap + 16 || at >= LANE->heap || (at & 15)) snarl_lane_end(kLaneBadFree, pointer, 0);
  const unsigned state = snarl_lane_peek(at - kState);
  if (state == kFreed && snarl_lane_shadow(at) == kShadowFreed) snarl_lane_end(kLaneDoubleFree, pointer, 0);
  if (state != kLive || snarl_lane_shadow(at - 16) != kShadowHeap) snarl_lane_end(kLaneBadFree, pointer, 0);
  return at;
}

void free(void* pointer) {
  if (pointer == 0) return;
  const unsigned at = block_at(pointer), class = snarl_lane_peek(at - kClass);
  snarl_lane_poke(at - kState, kFreed);
  snarl_lane_poison(at, 16u << class, kShadowFreed);
  snarl_lane_poke(at - kNext, 0);
  if (LANE->free_lists[class] == 0)
    LANE->free_lists[class] = at;
  else
    snarl_lane_poke(tails[class] - kNext, at);
  ++counts[class];
  tails[class] = at;
  BARRIER;
}

void* realloc(void* pointer, size_t size) {
  if (pointer == 0) return malloc(size);
  block_at(pointer);
  const unsigned old = snarl_lane_peek((unsigned)(unsigned long)pointer - kSize);
  void* moved = malloc(size);
  if (moved == 0) return 0;
  snarl_lane_copy(moved, pointer, old < size ? old : size);
  free(pointer);
  return moved;
}
void* reallocarray(void* pointer, size_t count, size_t size) { return realloc(pointer, count * size); }

void* aligned_alloc(size_t alignment, size_t size) {
  if (alignment <= 16) return malloc(size);
  if (alignment & (alignment - 1)) {
    errno = EINVAL;
    return 0;
  }
  const unsigned whole = (unsigned)(unsigned long)allocate(size + alignment, 0xbe);
  if (whole == 0) return 0;
  const unsigned at = (whole + (unsigned)alignment - 1) & ~((unsigned)alignment - 1);
  const unsigned class = snarl_lane_peek(whole - kClass), end = whole + (16u << class) + 16;
  if (at == whole) return (void*)(unsigned long)at;
  snarl_lane_poison(whole, end - whole, kShadowHeap);
  snarl_lane_poison(at, (unsigned)size, 0);
  if (size & 7) snarl_lane_poison(at + ((unsigned)size & ~7u), 8, size & 7);
  snarl_lane_poke(at - kSize, (unsigned)size);
  snarl_lane_poke(at - kState, kInside);
  snarl_lane_poke(at - kNext, whole);
  return (void*)(unsigned long)at;
}
void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
void* valloc(size_t size) { return aligned_alloc(4096, size); }
int posix_memalign(void** pointer, size_t alignment, size_t size) {
  *pointer = aligned_alloc(alignment, size);
  return *pointer == 0 ? ENOMEM : 0;
}
size_t malloc_usable_size(void* pointer) {
  return pointer == 0 ? 0 : snarl_lane_peek((unsigned)(unsigned long)pointer - kSize);
}
void cfree(void* pointer) { free(pointer); }
