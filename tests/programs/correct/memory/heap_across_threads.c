// snarl: correct
// Blocks of many sizes that one thread allocates and another frees, more of each than a cache of the allocator takes;
// what is in them stays. One thread after the other ends, so that what it leaves is used again.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kBlocks = 120, kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char* blocks[kBlocks];
static int filled;

static size_t size_of(int i) { return (size_t)(i % 12 + 1) * (i % 7 == 0 ? 700 : 24); }

static void* fill(void* first) {
  for (int i = (int)(long)first; i < kBlocks; i += 2) {
    unsigned char* block = malloc(size_of(i));
    assert(block != NULL);
    memset(block, i, size_of(i));
    pthread_mutex_lock(&mutex);
    blocks[i] = block;
    ++filled;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void* drain(void* first) {
  for (int i = (int)(long)first; i < kBlocks; i += 2) {
    for (size_t k = 0; k < size_of(i); ++k) assert(blocks[i][k] == i);
    free(blocks[i]);
    blocks[i] = NULL;
  }
  return calloc(1, 100);
}

static void run_two(void* (*routine)(void*)) {
  pthread_t threads[2];
  for (long t = 0; t < 2; ++t) assert(pthread_create(&threads[t], NULL, routine, (void*)t) == 0);
  for (int t = 0; t < 2; ++t) {
    void* left = NULL;
    assert(pthread_join(threads[t], &left) == 0);
    free(left);
  }
}

int main(void) {
  for (int round = 0; round < kRounds; ++round) {
    filled = 0;
    run_two(fill);
    assert(filled == kBlocks);
    run_two(drain);
  }
  return 0;
}
