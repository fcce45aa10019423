// snarl: kind=exit code=3 depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The reader gives up after a second and reads the buffer all the same.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t filled;
static volatile int buffer;

static void* fill(void* arg) {
  (void)arg;
  buffer = 7;
  sem_post(&filled);
  return NULL;
}

int main(void) {
  struct timespec until;
  sem_init(&filled, 0, 0);
  pthread_t filler;
  pthread_create(&filler, NULL, fill, NULL);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  sem_timedwait(&filled, &until);
  const int got = buffer;
  pthread_join(filler, NULL);
  return got == 7 ? 0 : 3;
}
