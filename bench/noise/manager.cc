// Manager (520 lines): a free block is taken in two steps; two may take the same one.
#include "shared.h"

static Shared<int> first_free;
static Way<9> requests;
static Way<12> table;
static int taken[4];

static NOISE_INLINE void allocate() {
  const int block = first_free.get();
  first_free.set(block + 1);
  __atomic_fetch_add(&taken[block], 1, __ATOMIC_RELAXED);
}

int main() {
  run_beside(
      [] {
        allocate();
        table.walk();
      },
      [] {
        requests.walk();
        allocate();
      });
  require(taken[0] == 1 && taken[1] == 1, "one block for two");
}
