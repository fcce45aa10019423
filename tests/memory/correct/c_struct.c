// snarl: correct
/* C: read once the writer has ended. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
  long first, filler[6], second;
};
static struct pair shared;

static void* change(void* unused) {
  shared.first = 1;
  shared.second = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  struct pair copy;
  pthread_create(&thread, 0, change, 0);
  pthread_join(thread, 0);
  copy = shared;
  assert(copy.first == copy.second);
}
