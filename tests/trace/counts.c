// Three threads lock, post and yield; then the program says how often it did what, as it counted itself.
//   counts ROUNDS
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 3 };

static long rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static long locks;  // guarded by the mutex, as are the others
static long posts, yields;

static void* work(void* unused) {
  for (long i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++locks;
    ++posts;
    ++yields;
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    sem_wait(&semaphore);
    sched_yield();
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  rounds = argc > 1 ? atol(argv[1]) : 1;
  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("create %d\nstart %d\nexit %d\njoin %d\n", kThreads, kThreads, kThreads, kThreads);
  printf("lock %ld\nunlock %ld\nsem_init 1\nsem_post %ld\nsem_wait %ld\nyield %ld\n", locks, locks, posts, posts,
         yields);
  printf("end_process 1\nafter %ld\n", kThreads + locks + posts);
  return 0;
}
