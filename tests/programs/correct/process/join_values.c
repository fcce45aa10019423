// snarl: correct
// Joins in the reverse order of creation, and a join by a sibling.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t first;
static int results[2];

static void* one(void* arg) { return arg; }

static void* joins_first(void* arg) {
  void* value = NULL;
  assert(pthread_join(first, &value) == 0);
  assert(value == &results[0]);
  pthread_exit(arg);
}

int main(void) {
  pthread_t second, third;
  void* value = NULL;
  assert(pthread_create(&first, NULL, one, &results[0]) == 0);
  assert(pthread_create(&second, NULL, joins_first, &results[1]) == 0);
  assert(pthread_create(&third, NULL, one, NULL) == 0);
  assert(!pthread_equal(second, third));
  assert(pthread_join(third, &value) == 0);
  assert(value == NULL);
  assert(pthread_join(second, &value) == 0);
  assert(value == &results[1]);
  return 0;
}
