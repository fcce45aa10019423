/* libevent with locks: threads activate events of a loop that another one runs, and a timer ends it. */
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>
#include <stdio.h>

static struct event_base* base;
static struct event* counted;
static int times;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void count(evutil_socket_t fd, short what, void* unused) {
  (void)fd, (void)what, (void)unused;
  pthread_mutex_lock(&mutex);
  times++;
  pthread_mutex_unlock(&mutex);
}

static void* activate(void* unused) {
  for (int i = 0; i < 5; i++) event_active(counted, EV_READ, 1);
  return unused;
}

static void* loop(void* unused) {
  event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY); /* otherwise it returns at once: the event waits for nothing */
  return unused;
}

int main(void) {
  pthread_t threads[3];
  const struct timeval soon = {0, 50000};
  if (evthread_use_pthreads() != 0) return 2;
  base = event_base_new();
  counted = event_new(base, -1, EV_PERSIST, count, NULL);
  event_add(counted, NULL);
  pthread_create(&threads[0], NULL, loop, NULL);
  for (int i = 1; i < 3; i++) pthread_create(&threads[i], NULL, activate, NULL);
  for (int i = 1; i < 3; i++) pthread_join(threads[i], NULL);
  event_base_loopexit(base, &soon);
  pthread_join(threads[0], NULL);
  event_free(counted);
  event_base_free(base);
  printf("%d\n", times);
  return times < 1 || times > 10 ? 3 : 0;
}
