// Arrays of variable length and alloca, in threads, loops and a recursion.
#include <alloca.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int fill(int n) {
  int numbers[n][2];
  for (int i = 0; i < n; ++i) numbers[i][0] = i, numbers[i][1] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += numbers[i][0] * 3 + numbers[i][1];
  return n <= 1 ? sum : sum + fill(n - 1);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int all;

static void* work(void* argument) {
  const int n = *(int*)argument;
  int sum = 0;
  for (int round = 1; round < n; ++round) {
    char text[round + 1];
    memset(text, 'a' + round, (size_t)round);
    text[round] = 0;
    char* copy = alloca((size_t)round + 1);
    strcpy(copy, text);
    pthread_mutex_lock(&lock);
    all += (int)strlen(copy) * copy[0];
    pthread_mutex_unlock(&lock);
    sum += fill(round);
  }
  return (void*)(long)sum;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {5, 9};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, &numbers[i]);
  long sum = 0;
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld %d\n", sum, all);
  return 0;
}
