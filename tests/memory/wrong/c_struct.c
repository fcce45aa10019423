// snarl: kind=assert within=1000
/* C: a member of a struct that is copied as a whole while another thread changes it. */
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
  copy = shared;
  assert(copy.first == copy.second);
  pthread_join(thread, 0);
}
