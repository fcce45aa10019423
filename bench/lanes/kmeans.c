// Clusters of points in the plane: in each round each thread finds the nearest mean of its points.
#include "crew.h"

enum { kPoints = 45, kMeans = 5, kRounds = 4 };
static int points[kPoints][2], means[kMeans][2], cluster[kPoints];
static int moved;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct part {
  int first, count;
};

static int nearest(const int* point) {
  int best = 0;
  unsigned least = ~0u;
  for (int i = 0; i < kMeans; ++i) {
    const int x = means[i][0] - point[0], y = means[i][1] - point[1];
    const unsigned distance = (unsigned)(x * x + y * y);
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  return best;
}

static void* work(void* argument) {
  const struct part* part = argument;
  const int first = part->first, end = first + part->count;
  int any = 0;
  for (int i = first; i < end; ++i) {
    const int point[2] = {points[i][0], points[i][1]}, best = nearest(point);
    if (best != cluster[i]) any = 1;
    cluster[i] = best;
  }
  if (any == 0) return 0;
  pthread_mutex_lock(&mutex);
  moved = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void move_means(void) {
  for (int mean = 0; mean < kMeans; ++mean) {
    int x = 0, y = 0, count = 0;
    for (int i = 0; i < kPoints; ++i) {
      if (cluster[i] != mean) continue;
      x += points[i][0];
      y += points[i][1];
      ++count;
    }
    if (count == 0) continue;
    means[mean][0] = x / count;
    means[mean][1] = y / count;
  }
}

int main(void) {
  struct part parts[kCrew];
  for (int i = 0; i < kPoints; ++i) points[i][0] = input[2 * i], points[i][1] = input[2 * i + 1], cluster[i] = -1;
  for (int i = 0; i < kMeans; ++i) means[i][0] = input[500 + i], means[i][1] = input[600 + i];
  for (int i = 0; i < kCrew; ++i) parts[i].first = kPoints / kCrew * i, parts[i].count = kPoints / kCrew;
  for (int round = 0; round < kRounds; ++round) {
    moved = 0;
    crew(work, parts, sizeof *parts);
    if (moved == 0) break;
    move_means();
  }
  unsigned long sum = 0;
  for (int i = 0; i < kPoints; ++i) sum = sum * 31 + (unsigned)cluster[i];
  return answer(sum, 14660568704632859029u);
}
