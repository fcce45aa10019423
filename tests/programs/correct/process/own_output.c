// snarl: correct
// Standard output is a pipe of the program's own, which another thread empties: a write there waits like any other.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { kSize = 96 * 1024 };  // more than a pipe holds
static int ends[2];

static void* collect(void* arg) {
  static char data[kSize];
  ssize_t got, sum = 0;
  while ((got = read(ends[0], data, sizeof data)) > 0) sum += got;
  assert(sum == kSize);
  return arg;
}

int main(void) {
  static char block[kSize];
  pthread_t collector;
  assert(pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO && close(ends[1]) == 0);
  pthread_create(&collector, NULL, collect, NULL);
  assert(write(STDOUT_FILENO, block, sizeof block) == sizeof block);
  close(STDOUT_FILENO);
  pthread_join(collector, NULL);
  return 0;
}
