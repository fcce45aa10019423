// What the eight programs have in common: an input in memory, and fifteen threads that share the work.
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCrew = 15 };

// The same bytes wherever the program runs, as a constant: nobody writes to it.
#define IN1(i) (unsigned char)(((i)*2654435761u) >> 13)
#define IN4(i) IN1(i), IN1((i) + 1), IN1((i) + 2), IN1((i) + 3)
#define IN16(i) IN4(i), IN4((i) + 4), IN4((i) + 8), IN4((i) + 12)
#define IN64(i) IN16(i), IN16((i) + 16), IN16((i) + 32), IN16((i) + 48)
#define IN256(i) IN64(i), IN64((i) + 64), IN64((i) + 128), IN64((i) + 192)
static const unsigned char input[1024] = {IN256(0), IN256(256), IN256(512), IN256(768)};

// One thread for each of the fifteen parts.
static inline void crew(void* (*work)(void*), void* parts, unsigned long size) {
  pthread_t threads[kCrew];
  for (int i = 0; i < kCrew; ++i) pthread_create(&threads[i], 0, work, (char*)parts + i * size);
  for (int i = 0; i < kCrew; ++i) pthread_join(threads[i], 0);
}

// The answer, which no order of the threads changes: printed on request, as printing is no part of the work.
static inline int answer(unsigned long value, unsigned long expected) {
#ifdef SHOW
  printf("%lu\n", value);
#endif
  return value == expected ? 0 : 1;
}
