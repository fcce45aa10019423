// Means and covariances of the rows of a matrix: each thread takes the next row until there is none.
#include "crew.h"

enum { kRows = 16, kColumns = 7 };
static int matrix[kRows][kColumns], means[kRows], covariances[kRows][kRows];
static int next;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int take(void) {
  pthread_mutex_lock(&mutex);
  const int row = next++;
  pthread_mutex_unlock(&mutex);
  return row;
}

static void* find_means(void* unused) {
  (void)unused;
  for (int row = take(); row < kRows; row = take()) {
    int sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += matrix[row][i];
    means[row] = sum / kColumns;
  }
  return 0;
}

static void* find_covariances(void* unused) {
  (void)unused;
  for (int row = take(); row < kRows; row = take())
    for (int other = row; other < kRows; ++other) {
      const int mean = means[row], mean2 = means[other];
      int sum = 0;
      for (int i = 0; i < kColumns; ++i) sum += (matrix[row][i] - mean) * (matrix[other][i] - mean2);
      covariances[row][other] = covariances[other][row] = sum / (kColumns - 1);
    }
  return 0;
}

int main(void) {
  for (int i = 0; i < kRows * kColumns; ++i) matrix[i / kColumns][i % kColumns] = input[i];
  char unused[kCrew];
  crew(find_means, unused, 1);
  next = 0;
  crew(find_covariances, unused, 1);
  unsigned long sum = 0;
  for (int i = 0; i < kRows * kRows; ++i) sum = sum * 31 + (unsigned)covariances[i / kRows][i % kRows];
  return answer(sum, 1859215313795976354u);
}
