// Two threads that take two locks in opposite orders.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void* take_both(void* reverse) {
  pthread_mutex_lock(reverse != NULL ? &b : &a);
  pthread_mutex_lock(reverse != NULL ? &a : &b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, take_both, &a) != 0) return 2;
  take_both(NULL);
  pthread_join(thread, NULL);
  return 0;
}
