// heap MEGABYTES: so much memory is touched before main. Two threads share a lock and write a few bytes of it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* heap;
static size_t size;

// A constructor gets what main gets.
__attribute__((constructor)) static void touch(int count, char** words) {
  size = count < 2 ? 0 : (size_t)atoi(words[1]) << 20;
  heap = malloc(size + 1);
  if (heap != NULL) memset(heap, 1, size);
}

static void* work(void* at) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    ++*(char*)at;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t one, other;
  if (heap == NULL || pthread_create(&one, NULL, work, heap) != 0) return 2;
  if (pthread_create(&other, NULL, work, heap + size / 2) != 0) return 2;
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return size != 0 && heap[0] != 3;
}
