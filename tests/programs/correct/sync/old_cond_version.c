// snarl: correct
// The condition variable functions of glibc 2.2.5, as old binaries link them.
#include <assert.h>
#include <pthread.h>

#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver pthread_cond_init,pthread_cond_init@GLIBC_2.2.5");
__asm__(".symver pthread_cond_wait,pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal,pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver pthread_cond_broadcast,pthread_cond_broadcast@GLIBC_2.2.5");
__asm__(".symver pthread_cond_destroy,pthread_cond_destroy@GLIBC_2.2.5");
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int items;
static int taken;

static void* take(void* arg) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&changed, &mutex);
  --items;
  if (++taken == 2) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t a, b;
  assert(pthread_cond_init(&changed, NULL) == 0);
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_mutex_lock(&mutex);
  items = 2;
  pthread_cond_signal(&changed);
  pthread_cond_signal(&changed);
  while (taken < 2) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(pthread_cond_destroy(&changed) == 0);
  return 0;
}
