#include <pthread.h>
#include <stdlib.h>

static int* shared;
static void* user(void* unused) {
  int* mine = shared;
  if (mine) *mine = 1;
  return unused;
}
static void* owner(void* unused) {
  int* mine = shared;
  shared = 0;
  free(mine);
  return unused;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
