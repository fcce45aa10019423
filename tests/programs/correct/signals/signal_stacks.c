// snarl: correct
// Every thread has an alternate stack of its own, and its handlers run there, also when several are in one at the same
// time; the last thread has none, so that its handler runs wherever the system likes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3, kSize = 64 * 1024 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread char* own;
static __thread int handled;

static int is_in_own(const void* at) { return own != NULL && (const char*)at >= own && (const char*)at < own + kSize; }

static void handle(int signal) {
  volatile char pattern[2048];
  const char mine = (char)(size_t)pthread_self() ^ (char)((size_t)&handled >> 12);
  memset((void*)pattern, mine, sizeof pattern);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  for (size_t i = 0; i < sizeof pattern; ++i) assert(pattern[i] == mine);
  stack_t now = {.ss_size = 0};
  assert(sigaltstack(NULL, &now) == 0);
  if (own != NULL) {
    assert(is_in_own((const void*)pattern) && now.ss_sp == own && (now.ss_flags & SS_ONSTACK) != 0);
    const stack_t none = {.ss_flags = SS_DISABLE};
    assert(sigaltstack(&none, NULL) == -1 && errno == EPERM);
  }
  handled += signal == SIGUSR1;
}

static void use_own_stack(void) {
  own = malloc(kSize);
  const stack_t stack = {.ss_sp = own, .ss_size = kSize};
  stack_t now;
  assert(sigaltstack(&stack, NULL) == 0);
  assert(sigaltstack(NULL, &now) == 0 && now.ss_sp == own && now.ss_flags == 0 && now.ss_size == kSize);
}

static void* work(void* arg) {
  if (arg == NULL) use_own_stack();
  assert(raise(SIGUSR1) == 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(handled == 1);
  if (own != NULL) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t before;
    assert(sigaltstack(&none, &before) == 0 && before.ss_sp == own);
    free(own);
  }
  return arg;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, i == kThreads - 1 ? &mutex : NULL);
  work(NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return 0;
}
