// snarl: correct
// A semaphore that another process uses as well (it has posted once, when the threads here come to wait).
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t* units;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void* work(void* arg) {
  assert(sem_wait(units) == 0);
  pthread_mutex_lock(&mutex);
  ++taken;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  units = mmap(NULL, sizeof *units, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(units != MAP_FAILED && sem_init(units, 1, 0) == 0);
  const pid_t child = fork();
  if (child == 0) {
    sem_post(units);
    _exit(0);
  }
  int value = -1, status = -1;
  assert(waitpid(child, &status, 0) == child && status == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  sem_post(units);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(taken == 2 && sem_getvalue(units, &value) == 0 && value == 0);
  return 0;
}
