// snarl: correct
// Locks are still held when the process ends: one is given back by an exit handler, the other never. That is
// worth a note, not a finding.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, theirs = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static void give_back(void) { pthread_mutex_unlock(&mine); }

static void* hold(void* unused) {
  pthread_mutex_lock(&theirs);
  pthread_rwlock_rdlock(&table);
  for (int i = 0; i < 5; ++i) sched_yield();
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&theirs);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(give_back);
  pthread_create(&thread, NULL, hold, NULL);
  pthread_detach(thread);
  pthread_mutex_lock(&mine);
  exit(0);
}
