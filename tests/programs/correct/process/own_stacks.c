// snarl: correct
// Stacks that the program gives and takes back: once a thread was joined, nobody but the program uses its stack, which
// is overwritten, used for another thread, or not there any more.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { kStack = 256 << 10, kThreads = 2, kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* work(void* stack) {
  char here = 1;
  assert(stack == NULL || ((char*)stack < &here && &here < (char*)stack + kStack));
  pthread_mutex_lock(&mutex);
  sum += here;
  pthread_mutex_unlock(&mutex);
  return &sum;
}

static pthread_t start_on(void* stack) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstack(&attributes, stack, kStack) == 0);
  assert(pthread_create(&thread, &attributes, work, stack) == 0);
  pthread_attr_destroy(&attributes);
  return thread;
}

int main(void) {
  char* stacks = mmap(NULL, kThreads * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(stacks != MAP_FAILED);
  for (int round = 0; round < kRounds; ++round) {
    pthread_t threads[kThreads], other;
    for (int i = 0; i < kThreads; ++i) threads[i] = start_on(stacks + i * kStack);
    for (int i = 0; i < kThreads; ++i) {
      void* result = NULL;
      assert(pthread_join(threads[i], &result) == 0 && result == &sum);
    }
    memset(stacks, round, kThreads * kStack);
    assert(pthread_create(&other, NULL, work, NULL) == 0 && pthread_join(other, NULL) == 0);
  }
  munmap(stacks, kThreads * kStack);
  pthread_t last;
  assert(pthread_create(&last, NULL, work, NULL) == 0 && pthread_join(last, NULL) == 0);
  assert(sum == kRounds * (kThreads + 1) + 1);
  return 0;
}
