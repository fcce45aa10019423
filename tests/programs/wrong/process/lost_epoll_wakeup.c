// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The loop forgets that it was woken after it has looked at the queue: what is posted between the two wakes nobody.
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int posted, woken, wake;

static void post(void) {
  const uint64_t one = 1;
  pthread_mutex_lock(&mutex);
  ++posted;
  const int first = !woken;
  woken = 1;
  pthread_mutex_unlock(&mutex);
  if (first && write(wake, &one, sizeof one) != sizeof one) _exit(2);
}

static int take_all(void) {
  pthread_mutex_lock(&mutex);
  const int taken = posted;
  posted = 0;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  woken = 0;
  pthread_mutex_unlock(&mutex);
  return taken;
}

static void* post_two(void* arg) {
  post();
  post();
  return arg;
}

int main(void) {
  struct epoll_event event = {.events = EPOLLIN};
  const int epoll = epoll_create1(0);
  wake = eventfd(0, EFD_NONBLOCK);
  epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event);
  pthread_t thread;
  pthread_create(&thread, NULL, post_two, NULL);
  for (int taken = 0; taken < 2; taken += take_all()) {
    uint64_t count;
    epoll_wait(epoll, &event, 1, -1);
    if (read(wake, &count, sizeof count) != sizeof count) return 3;
  }
  pthread_join(thread, NULL);
  return 0;
}
