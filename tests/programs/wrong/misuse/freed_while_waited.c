// snarl: kind=use_after_free depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=use_after_free
// The list is freed while it is locked, and somebody waits for the lock. The mutex does not lie at the block's start.
#include <pthread.h>
#include <stdlib.h>

struct list {
  long length[8];
  pthread_mutex_t lock;
};

static void* use(void* data) {
  struct list* list = data;
  pthread_mutex_lock(&list->lock);
  list->length[0]++;
  pthread_mutex_unlock(&list->lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct list* list = calloc(1, sizeof *list);
  pthread_create(&thread, NULL, use, list);
  pthread_mutex_lock(&list->lock);
  free(list);
  pthread_join(thread, NULL);
}
