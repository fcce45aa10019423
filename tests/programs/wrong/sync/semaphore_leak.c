// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=32<13,12<33 measured=2
// A worker that finds its job cancelled returns without giving back the connection that it took.
#include <pthread.h>
#include <semaphore.h>

static sem_t connections;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cancelled, sent;

static void* send_job(void* arg) {
  (void)arg;
  sem_wait(&connections);
  pthread_mutex_lock(&mutex);
  if (cancelled) {
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  ++sent;
  pthread_mutex_unlock(&mutex);
  sem_post(&connections);
  return NULL;
}

int main(void) {
  sem_init(&connections, 0, 1);
  pthread_t worker;
  pthread_create(&worker, NULL, send_job, NULL);
  for (volatile int i = 0; i < 1000000; i = i + 1) {
  }
  pthread_mutex_lock(&mutex);
  cancelled = 1;
  pthread_mutex_unlock(&mutex);
  sem_wait(&connections);
  ++sent;
  sem_post(&connections);
  pthread_join(worker, NULL);
}
