// snarl: correct
// What a thread may ask of itself and others: who it is, its stack, name, clock, mask, rounding mode; and what it finds
// when it begins, whoever had its memory before.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static pthread_key_t plain;  // without a destructor
static _Thread_local int fresh = 7;
static _Thread_local int zero;
static pid_t tids[2];
static unsigned rounding;

static void step(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void check_stack(void) {
  pthread_attr_t attributes;
  void* stack;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
  assert((char*)&stack < (char*)__builtin_frame_address(0) + size && (char*)&size > (char*)stack);
  assert((char*)&size < (char*)stack + size);
  pthread_attr_destroy(&attributes);
}

static void check_kernel(void) {
  clockid_t clock;
  struct timespec time;
  struct sched_param parameters;
  int policy;
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
  assert(clock_gettime(clock, &time) == 0);
  assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
  assert(gettid() == syscall(SYS_gettid));
  assert(sched_getcpu() >= 0);
}

static void check_new(void) {
  assert(errno == 0 && fresh == 7 && zero == 0 && pthread_getspecific(plain) == NULL);
  assert(_MM_GET_ROUNDING_MODE() == rounding);
  fresh = 8, zero = 1, errno = EINVAL;
  pthread_setspecific(plain, &fresh);
}

static void* work(void* arg) {
  const int me = arg != NULL;
  char name[16], read[16];
  check_new();
  check_stack();
  check_kernel();
  strcpy(name, me ? "one" : "zero");
  assert(pthread_setname_np(pthread_self(), name) == 0);
  tids[me] = gettid();
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, me ? SIGUSR1 : SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  _MM_SET_ROUNDING_MODE(me ? _MM_ROUND_UP : _MM_ROUND_DOWN);
  for (int i = 0; i < 2; ++i) {
    errno = 100 + me;
    step();
    assert(errno == 100 + me && _MM_GET_ROUNDING_MODE() == (unsigned)(me ? _MM_ROUND_UP : _MM_ROUND_DOWN));
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1) == me && sigismember(&now, SIGUSR2) == !me);
    assert(pthread_getname_np(pthread_self(), read, sizeof read) == 0 && strcmp(read, name) == 0);
  }
  pthread_barrier_wait(&both);
  assert(tids[0] != tids[1] && tids[me] != getpid());
  return arg;
}

int main(void) {
  pthread_barrier_init(&both, NULL, 2);
  pthread_key_create(&plain, NULL);
  for (int round = 0; round < 2; ++round) {
    pthread_t a, b;
    rounding = round == 0 ? _MM_ROUND_NEAREST : _MM_ROUND_TOWARD_ZERO;
    _MM_SET_ROUNDING_MODE(rounding);
    assert(pthread_create(&a, NULL, work, NULL) == 0);
    assert(pthread_create(&b, NULL, work, &both) == 0);
    assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    assert(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0);
    assert(gettid() == getpid() && _MM_GET_ROUNDING_MODE() == rounding);
  }
  return 0;
}
