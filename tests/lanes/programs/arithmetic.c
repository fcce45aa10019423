// Deterministic: what it prints natively, it prints as a lane.
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  long a, b;
};
struct bits {
  unsigned low : 3;
  int high : 7;
  unsigned long rest : 40;
};
union either {
  double d;
  uint64_t u;
};
#pragma pack(1)
struct packed {
  char c;
  int i;
  double d;
};
#pragma pack()

static _Thread_local int own = 5;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sums[4];
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const functions[])(int) = {twice, square, fib};
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static const char* name_of(int i) {
  switch (i) {
    case 0: return "zero";
    case 1: return "one";
    case 7: return "seven";
    case -3: return "minus three";
    default: return "?";
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  own += me;
  double sum = 0;
  for (int i = 1; i < 50; ++i) sum += sin(i * 0.1 * (me + 1)) / sqrt(i) + (float)i / 3;
  pthread_mutex_lock(&lock);
  sums[me] = sum + own;
  pthread_mutex_unlock(&lock);
  return (void*)(long)(own * 100);
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  long results = 0;
  for (int i = 0; i < 4; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    results = results * 1000 + (long)result;
    printf("%d %.17g %a\n", i, sums[i], sums[i]);
  }
  printf("results %ld own %d\n", results, own);
  struct pair p = swap((struct pair){3, -4});
  struct bits bits = {5, -33, 0xabcdef0123};
  union either either = {.d = -0.1};
  struct packed packed = {'x', -7, 2.5};
  printf("%ld %ld|%u %d %lx|%lx|%c %d %g %zu\n", p.a, p.b, bits.low, bits.high, (unsigned long)bits.rest,
         (unsigned long)either.u, packed.c, packed.i, packed.d, sizeof packed);
  for (int i = 0; i < 3; ++i) printf("%d ", functions[i](7 + i));
  int numbers[20];
  for (int i = 0; i < 20; ++i) numbers[i] = rand() % 1000;
  qsort(numbers, 20, sizeof *numbers, compare);
  for (int i = 0; i < 20; ++i) printf("%d,", numbers[i]);
  printf("\n%5d|%-5d|%05d|%+d|%x|%#o|%10.3s|%*d|%c|%%|%ld|%llu|%hhd\n", 42, 42, 42, 42, 255u, 8u, "abcdef", 6, -3, 'z',
         -1L, ~0ull, (signed char)200);
  printf("%8.3f|%e|%g|%-12.1f|%s\n", 3.14159, 12345.678, 1e-7, -0.05, name_of(-3));
  char text[64], *end;
  snprintf(text, sizeof text, "%s-%s-%d", name_of(7), name_of(9), -12);
  printf("%s %zu %d %s\n", text, strlen(text), strcmp(text, "seven"), strchr(text, '-'));
  const long parsed = strtol("-0x1fz", &end, 16);
  printf("%ld %lu %d %s\n", parsed, strtoul("777", 0, 8), atoi("  42x"), end);
  printf("%d %d %d %c\n", isalpha('q') != 0, isdigit('q') != 0, isspace(' ') != 0, toupper('q'));
  long* block = calloc(4, sizeof *block);
  block[3] = INT64_MIN;
  block = realloc(block, 400);
  printf("%ld %d %u %d\n", block[3], -7 / 2, -7u / 2, (-7) % 3);
  printf("%d %ld %d\n", (int)3.99, (long)-2.5e9, (int)(unsigned char)300);
  free(block);
  return 0;
}
