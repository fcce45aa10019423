/* Arrays of variable length and alloca: blocks of the heap, which their function gives back. */
#include "coseq/models/intrinsics.h"

void* malloc(unsigned long size);
void free(void* pointer);

/* Those of the thread, the last one first: each block begins with the one before. */
static __thread void** last;

void* snarl_stack_take(unsigned long size) {
  void** block = malloc(size + 16);
  if (block == 0) snarl_lane_end(kLaneNoMemory, 0, size);
  *block = last;
  last = block;
  BARRIER;
  return (char*)block + 16;
}
void* snarl_stack_save(void) { return last; }
void snarl_stack_restore(void* before) {
  while (last != before) {
    void** block = last;
    last = *block;
    free(block);
  }
  BARRIER;
}
