// Dictionary (706 lines): a word is looked for and then added, each under its lock; it may be there twice.
#include "shared.h"

static Shared<int> words;
static Way<12> reader;
static Way<17> pages;
static int added;

static NOISE_INLINE void add_if_missing() {
  if (words.get() != 0) return;
  words.set(1);
  __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
}

int main() {
  run_beside(
      [] {
        add_if_missing();
        pages.walk();
      },
      [] {
        reader.walk();
        add_if_missing();
      });
  require(added == 1, "the word is there twice");
}
