// Starts a thread for each line of its input; two of them may lose an update.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static void* count(void* unused) {
  pthread_mutex_lock(&lock);
  const int seen = counted;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  counted = seen + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[8];
  int lines = 0;
  for (int c; (c = getchar()) != EOF && lines < 8;)
    if (c == '\n') pthread_create(&threads[lines++], NULL, count, NULL);
  for (int i = 0; i < lines; ++i) pthread_join(threads[i], NULL);
  return counted == lines ? 0 : 1;
}
