// snarl: correct serial
// alarm, setitimer, timerfd and POSIX timers: none comes before its time, all clocks agree on it, and
// an hour passes in no time. The alarm that would end the process after ten seconds never comes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static void on_tick(int number) { (void)number, ++ticks; }

static double now(clockid_t id) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void* with_timerfd(void* arg) {
  uint64_t count = 0;
  const struct itimerspec often = {{0, 10000000}, {0, 20000000}};
  struct itimerspec left;
  const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const double start = now(CLOCK_MONOTONIC);
  assert(fd >= 0 && timerfd_settime(fd, 0, &often, NULL) == 0);
  assert(timerfd_gettime(fd, &left) == 0 && left.it_interval.tv_nsec == 10000000);
  assert(read(fd, &count, sizeof count) == sizeof count && count >= 1);
  assert(now(CLOCK_MONOTONIC) - start >= 0.02);
  struct pollfd waits = {fd, POLLIN, 0};
  assert(poll(&waits, 1, -1) == 1 && (waits.revents & POLLIN) != 0);
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0 && epoll_wait(set, &event, 1, -1) == 1);
  assert(read(fd, &count, sizeof count) == sizeof count && count >= 1);
  close(set);
  close(fd);
  return arg;
}

static void* with_posix_timer(void* arg) {
  timer_t timer;
  sigset_t set;
  siginfo_t info;
  struct sigevent event;
  const struct itimerspec once = {{0, 0}, {0, 30000000}};
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_int = 7;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0 && timer_settime(timer, 0, &once, NULL) == 0);
  assert(sigwaitinfo(&set, &info) == SIGRTMIN);
  assert(timer_delete(timer) == 0);
  return arg;
}

int main(void) {
  sigset_t set;
  pthread_t threads[2];
  struct timeval day;
  struct sigaction action = {.sa_handler = on_tick};
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  assert(alarm(10) == 0);

  pthread_create(&threads[0], NULL, with_timerfd, NULL);
  pthread_create(&threads[1], NULL, with_posix_timer, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);

  const unsigned left = alarm(0);
  assert(left >= 1 && left <= 10);
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval soon = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
  assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
  while (ticks < 3) assert(pause() == -1 && errno == EINTR);
  assert(setitimer(ITIMER_REAL, &never, NULL) == 0);

  gettimeofday(&day, NULL);
  const double wall = now(CLOCK_REALTIME);
  assert(wall - (double)day.tv_sec < 2 && (double)time(NULL) - wall < 2);
  assert(now(CLOCK_BOOTTIME) > 0 && now(CLOCK_MONOTONIC_COARSE) > 0 && now(CLOCK_TAI) > 0);
  assert(now(CLOCK_PROCESS_CPUTIME_ID) >= 0 && now(CLOCK_THREAD_CPUTIME_ID) >= 0);
  return 0;
}
