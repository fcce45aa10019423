// As counts_in_memory, but all that changes is in the registers of the x87 unit.
#include <pthread.h>
#include <stddef.h>

__attribute__((optimize("O2"))) static long double sum(void) {
  long double result = 0;
  for (long double k = 1; k < 400000000; k += 1) result += 1 / (k * k);
  return result;
}

static void* work(void* arg) {
  *(long double*)arg = sum();
  return NULL;
}

int main(void) {
  pthread_t thread;
  long double result = 0;
  pthread_create(&thread, NULL, work, &result);
  pthread_join(thread, NULL);
  return result > 1.6L ? 0 : 1;
}
