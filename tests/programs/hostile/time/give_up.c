// give_up KIND MILLISECONDS: main waits, by the means KIND, for what a worker does after a few locks, and aborts if
// that takes longer than MILLISECONDS.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t done_changed = PTHREAD_COND_INITIALIZER;
static sem_t finished;
static int done, word, ends[2], timer_fd;
static timer_t timer;
static const char* kind;
static long span;

static int is(const char* name) { return strcmp(kind, name) == 0; }

static struct timespec in(long milliseconds) {
  return (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000};
}
static struct timespec at(long milliseconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += milliseconds / 1000;
  now.tv_nsec += milliseconds % 1000 * 1000000;
  if (now.tv_nsec >= 1000000000) now.tv_nsec -= 1000000000, now.tv_sec += 1;
  return now;
}
static void too_late(int signal) {
  (void)signal;
  abort();
}
static void check(int in_time) {
  if (!in_time) abort();
}

static void work(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

static void* worker(void* unused) {
  if (is("lock")) pthread_mutex_lock(&gate);
  if (is("rwlock")) pthread_rwlock_wrlock(&rwlock);
  if (is("lock") || is("rwlock")) sem_post(&finished);
  work(is("chain") || is("again") ? 300 : 4);
  if (is("lock")) pthread_mutex_unlock(&gate);
  if (is("rwlock")) pthread_rwlock_unlock(&rwlock);
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_broadcast(&done_changed);
  pthread_mutex_unlock(&lock);
  sem_post(&finished);
  if (write(ends[1], "x", 1) != 1) abort();
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  return unused;
}

// Wakes main for nothing every 0.9 seconds, as long as it is not done.
static void* ticker(void* unused) {
  pthread_mutex_lock(&lock);
  while (!done) {
    const struct timespec end = at(900);
    while (!done && pthread_cond_timedwait(&done_changed, &lock, &end) != ETIMEDOUT) {
    }
    pthread_cond_broadcast(&done_changed);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void wait_for_done(const struct timespec* until) {
  pthread_mutex_lock(&lock);
  while (!done)
    if (until == NULL)
      pthread_cond_wait(&done_changed, &lock);
    else
      check(pthread_cond_timedwait(&done_changed, &lock, until) != ETIMEDOUT);
  pthread_mutex_unlock(&lock);
}

static void set_timers(void) {
  const struct itimerval interval = {{0, 0}, {span / 1000, span % 1000 * 1000}};
  const struct itimerspec once = {{0, 0}, in(span)};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  signal(SIGALRM, too_late);
  if (is("alarm") || is("chain")) alarm((unsigned)(span + 999) / 1000);
  if (is("itimer")) setitimer(ITIMER_REAL, &interval, NULL);
  if (is("posix")) timer_create(CLOCK_MONOTONIC, &event, &timer), timer_settime(timer, 0, &once, NULL);
  if (is("timerfd")) timer_fd = timerfd_create(CLOCK_MONOTONIC, 0), timerfd_settime(timer_fd, 0, &once, NULL);
}
static void stop_timers(void) {
  const struct itimerspec never = {0};
  signal(SIGALRM, SIG_IGN);
  if (is("alarm") || is("chain")) alarm(0);
  if (is("posix")) timer_settime(timer, 0, &never, NULL);
}

static void wait_by_kind(void) {
  const struct timespec until = at(span), for_so_long = in(span);
  struct pollfd ready[2] = {{ends[0], POLLIN, 0}, {timer_fd, POLLIN, 0}};
  if (is("condvar") || is("again")) return wait_for_done(&until);
  if (is("semaphore")) return check(sem_timedwait(&finished, &until) == 0);
  if (is("lock")) return sem_wait(&finished), check(pthread_mutex_timedlock(&gate, &until) == 0);
  if (is("rwlock")) return sem_wait(&finished), check(pthread_rwlock_timedrdlock(&rwlock, &until) == 0);
  if (is("poll")) return check(poll(ready, 1, (int)span) == 1);
  if (is("timerfd")) return check(poll(ready, 2, -1) >= 1 && (ready[1].revents & POLLIN) == 0);
  if (is("select")) {
    struct timeval time = {span / 1000, span % 1000 * 1000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return check(select(ends[0] + 1, &set, NULL, NULL, &time) == 1);
  }
  if (is("epoll")) {
    const int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
    return check(epoll_wait(set, &event, 1, (int)span) == 1);
  }
  if (is("futex"))
    return check(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &for_so_long, NULL, 0) == 0 || errno != ETIMEDOUT);
  wait_for_done(NULL);
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  if (argc != 3 || pipe(ends) != 0) return 2;
  kind = argv[1];
  span = atol(argv[2]);
  sem_init(&finished, 0, 0);
  set_timers();
  const int ticks = is("chain") || is("again");
  pthread_create(&threads[0], NULL, worker, NULL);
  if (ticks) pthread_create(&threads[1], NULL, ticker, NULL);
  wait_by_kind();
  stop_timers();
  for (int i = 0; i < 1 + ticks; ++i) pthread_join(threads[i], NULL);
  return 0;
}
