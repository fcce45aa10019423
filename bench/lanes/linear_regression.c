// The line through a cloud of points: each thread adds up its part.
#include "crew.h"

enum { kPoints = 14 };
struct part {
  const unsigned char* points;
  long x, y, xx, yy, xy;
};

static void* work(void* argument) {
  struct part* part = argument;
  const unsigned char* point = part->points;
  for (int i = 0; i < kPoints; ++i, point += 2) {
    const long x = point[0], y = point[1];
    part->x += x;
    part->xx += x * x;
    part->y += y;
    part->yy += y * y;
    part->xy += x * y;
  }
  return 0;
}

int main(void) {
  struct part* parts = calloc(kCrew, sizeof *parts);
  for (int i = 0; i < kCrew; ++i) parts[i].points = input + 2 * kPoints * i;
  crew(work, parts, sizeof *parts);
  long x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < kCrew; ++i) {
    x += parts[i].x, y += parts[i].y;
    xx += parts[i].xx, yy += parts[i].yy, xy += parts[i].xy;
  }
  const double n = kCrew * kPoints;
  const double slope = (n * (double)xy - (double)x * (double)y) / (n * (double)xx - (double)x * (double)x);
  union {
    double value;
    unsigned long bits;
  } result = {.value = slope * (double)yy};
  free(parts);
  return answer(result.bits, 13917796033784797083u);
}
