#include <stdio.h>
int main(void) {
  long sum = 0, tasks = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 50) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      {
#pragma omp critical
        ++tasks;
      }
    }
  }
  printf("%ld %ld\n", sum, tasks);
  return sum != 1498500 || tasks != 30;
}
