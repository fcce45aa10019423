// Counts its runs, which must always be the first one. Once it has seen a hundred, it takes another step: reset rewind
// must notice, if the page of the counter is not put back. With an argument, it writes a row into that file.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

__attribute__((aligned(4096))) long runs[512] = {0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) {
    FILE* file = fopen(argv[1], "a");
    if (file != NULL) fputs("a run\n", file), fclose(file);
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) return 0;
  work(NULL);
  if (++runs[0] > 100) work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
