// snarl: correct
// Memory that is shared with children, made before main: every run finds it as it was made, and shares it with its
// children.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kLarge = 8 << 20 };
static int* small;
static char* large;

__attribute__((constructor)) static void make(void) {
  small = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  large = mmap(0, kLarge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *small = 7;
  large[kLarge - 1] = 9;
}

static void* work(void* unused) {
  __atomic_add_fetch(small, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  assert(*small == 7 && large[kLarge - 1] == 9 && large[0] == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  const pid_t child = fork();
  if (child == 0) *small += 10, large[0] = 1, _exit(0);
  assert(waitpid(child, 0, 0) == child);
  assert(*small == 19 && large[0] == 1);
  return 0;
}
