// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=22<11,17<23 measured=2
// A once routine takes the registry's (recursive) lock, and the registry calls pthread_once with
// that lock held.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t registry;
static int plugins;

static void register_builtin(void) {
  pthread_mutex_lock(&registry);
  ++plugins;
  pthread_mutex_unlock(&registry);
}

static void* use(void* arg) {
  pthread_once(&once, register_builtin);
  return arg;
}

static void* list(void* arg) {
  pthread_mutex_lock(&registry);
  pthread_once(&once, register_builtin);
  pthread_mutex_unlock(&registry);
  return arg;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&registry, &attr);
  pthread_t user, lister;
  pthread_create(&user, NULL, use, NULL);
  pthread_create(&lister, NULL, list, NULL);
  pthread_join(user, NULL);
  pthread_join(lister, NULL);
  pthread_mutex_destroy(&registry);
  return plugins == 1 ? 0 : 1;
}
