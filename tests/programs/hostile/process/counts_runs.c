// Adds a byte to the file that it is given, in every run: who looks at the file sees runs come to their end.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  int file = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  return file >= 0 && write(file, ".", 1) == 1 ? 0 : 1;
}
