// How often each level of each colour is in a picture: each thread counts its part of the pixels.
#include "crew.h"

enum { kPixels = 22, kLevels = 16 };
struct part {
  int first;
  int counts[3][kLevels];
};

static void* work(void* argument) {
  struct part* part = argument;
  const unsigned char* pixel = input + part->first;
  for (int i = 0; i < kPixels; ++i, pixel += 3)
    for (int colour = 0; colour < 3; ++colour) ++part->counts[colour][pixel[colour] / (256 / kLevels)];
  return 0;
}

int main(void) {
  struct part* parts = calloc(kCrew, sizeof *parts);
  for (int i = 0; i < kCrew; ++i) parts[i].first = 3 * kPixels * i;
  crew(work, parts, sizeof *parts);
  unsigned long sum = 0, all[3][kLevels] = {};
  for (int i = 0; i < kCrew; ++i)
    for (int colour = 0; colour < 3; ++colour)
      for (int level = 0; level < kLevels; ++level) all[colour][level] += (unsigned)parts[i].counts[colour][level];
  for (int colour = 0; colour < 3; ++colour)
    for (int level = 0; level < kLevels; ++level) sum = sum * 31 + all[colour][level];
  free(parts);
  return answer(sum, 4630429759803354980u);
}
