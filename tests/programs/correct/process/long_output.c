// snarl: correct
// Prints more than a pipe holds, by itself and through stdio, while another thread could run: waiting for whoever reads
// the output is no reason to switch. With an argument: so many times as much.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* arg) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(int argc, char** argv) {
  static char block[128 * 1024];
  for (size_t i = 0; i < sizeof block; ++i) block[i] = i % 64 == 63 ? '\n' : '.';
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; --i)
    if (write(STDOUT_FILENO, block, sizeof block) != sizeof block) return 1;
  if (fwrite(block, sizeof block, 1, stdout) != 1 || fflush(stdout) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
