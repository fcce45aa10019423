// A server that waits for connections in main until a signal comes from outside, while other threads wait for it: one
// that would take the signal too, and one that blocks all signals. Argument: the file that tells its process id.
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t stopping;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void on_signal(int number) {
  (void)number;
  stopping = 1;
}

static void* wait_until_done(void* blocks) {
  sigset_t all;
  sigfillset(&all);
  if (blocks != NULL) pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_mutex_lock(&mutex);
  while (!done) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return blocks;
}

static int listening_socket(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  assert(bind(fd, (const struct sockaddr*)&at, sizeof at) == 0 && listen(fd, 1) == 0);
  return fd;
}

static void tell_id(const char* path) {
  FILE* file = fopen(path, "w");
  assert(file != NULL && fprintf(file, "%d\n", (int)getpid()) > 0);
  fclose(file);
}

int main(int argc, char** argv) {
  const struct sigaction action = {.sa_handler = on_signal};
  struct epoll_event event = {.events = EPOLLIN};
  const int poller = epoll_create1(0);
  pthread_t threads[2];
  assert(argc == 2 && sigaction(SIGTERM, &action, NULL) == 0);
  assert(epoll_ctl(poller, EPOLL_CTL_ADD, listening_socket(), &event) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, wait_until_done, i == 0 ? NULL : &changed);
  tell_id(argv[1]);
  while (!stopping) assert(epoll_wait(poller, &event, 1, -1) >= 0 || errno == EINTR);
  unlink(argv[1]);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
