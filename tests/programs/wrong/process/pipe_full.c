// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// Who asks before the other has announced its answer sends a question longer than a pipe holds, and so
// does the other: both wait for somebody to read.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;
static int there[2], back[2], announced;
static char block[96 * 1024];

static void send_all(int fd) {
  if (write(fd, block, sizeof block) != sizeof block) abort();
}

static void receive_all(int fd) {
  static __thread char data[sizeof block];
  for (size_t got = 0; got < sizeof block;) got += read(fd, data, sizeof block - got);
}

static void* answer(void* arg) {
  sem_post(&started);
  pthread_mutex_lock(&mutex);
  announced = 1;
  pthread_mutex_unlock(&mutex);
  send_all(back[1]);
  receive_all(there[0]);
  return arg;
}

int main(void) {
  pthread_t other;
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  sem_init(&started, 0, 0);
  pthread_create(&other, NULL, answer, NULL);
  sem_wait(&started);
  pthread_mutex_lock(&mutex);
  const int reads_first = announced;
  pthread_mutex_unlock(&mutex);
  if (reads_first) receive_all(back[0]);
  send_all(there[1]);
  if (!reads_first) receive_all(back[0]);
  pthread_join(other, NULL);
  return 0;
}
