// Built with snarl cc: what runs with memory points leave in our own tables, a row each; the argument names it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3, kRounds = 4, kCells = 40000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, seldom, cells[kCells];
static _Atomic int flag;
static int* volatile block;

static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }

// Places that are reached in some orders only: their epoch comes late.
static void* guard(void* me) {
  for (int i = 0; i < kRounds; ++i) {
    lock();
    if (total % 5 == (int)(intptr_t)me) seldom += total;
    ++total;
    unlock();
  }
  return NULL;
}

static void* race(void* me) {
  for (int i = 0; i < kRounds; ++i) ++total;
  if (total == 7 + (int)(intptr_t)me) ++seldom;
  return NULL;
}

// Each only sometimes at the same time as another, and in the end not all are there.
static void* lose(void* unused) {
  const int seen = total;
  total = seen + 1;
  return unused;
}

static __attribute__((noinline)) int go_down(int depth) {
  volatile int here = depth;
  if (depth == 0) return total;
  const int below = go_down(depth - 1);
  return below + here;
}

// Deeper than the first stack of callers.
static void* go_deep(void* unused) {
  lock();
  total += go_down(100) & 1;
  unlock();
  return unused;
}

static void* spread(void* me) {
  for (int i = (int)(intptr_t)me; i < kCells; i += 17) cells[i] = i;
  lock();
  total += cells[5];
  unlock();
  return NULL;
}

static void* allocate(void* unused) {
  for (int i = 0; i < kRounds; ++i) {
    int* const own = malloc(64);
    if (own == NULL) continue;
    *own = i;
    lock();
    int* const before = block;
    block = own;
    unlock();
    free(before);
  }
  return unused;
}

static void* free_early(void* me) {
  if ((intptr_t)me == 0) {
    int* const mine = block;
    block = NULL;
    free(mine);
  } else if (block != NULL) {
    *block = 5;
  }
  return NULL;
}

static void* publish(void* me) {
  if ((intptr_t)me == 0) {
    total = 3;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
  } else if (atomic_load_explicit(&flag, memory_order_relaxed) != 0) {
    seldom += total;
  }
  return NULL;
}

// Nothing orders the two accesses, and random schedules hardly ever bring them together.
static void* race_late(void* me) {
  if ((intptr_t)me == 0) {
    seldom = 1;
    return NULL;
  }
  for (int i = 0; i < 4 * kRounds; ++i) lock(), ++total, unlock();
  if ((intptr_t)me == 1) block[3] = seldom;
  return NULL;
}

static const struct {
  const char* name;
  void* (*work)(void*);
} rows[] = {{"guard", guard},       {"race", race},       {"lose", lose},       {"deep", go_deep},  {"cells", spread},
            {"allocate", allocate}, {"free", free_early}, {"publish", publish}, {"late", race_late}};

int main(int count, char** words) {
  void* (*work)(void*) = NULL;
  for (size_t i = 0; count == 2 && i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(words[1], rows[i].name) == 0) work = rows[i].work;
  if (work == NULL || total != 0 || seldom != 0 || cells[kCells - 1] != 0) return 8;
  block = calloc(16, sizeof *block);
  pthread_t threads[kThreads];
  for (intptr_t i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], NULL, work, (void*)i) != 0) return 8;
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return work == lose && total != kThreads ? 1 : 0;
}
