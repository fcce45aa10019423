// The product of two matrices: each thread has a row.
#include "crew.h"

enum { kColumns = 8, kInner = 8 };
static int a[kCrew][kInner], b[kInner][kColumns], c[kCrew][kColumns];
struct part {
  int row;
};

static void* work(void* argument) {
  const int row = ((const struct part*)argument)->row;
  for (int column = 0; column < kColumns; ++column) {
    int sum = 0;
    for (int i = 0; i < kInner; ++i) sum += a[row][i] * b[i][column];
    c[row][column] = sum;
  }
  return 0;
}

int main(void) {
  struct part parts[kCrew];
  for (int i = 0; i < kCrew; ++i) parts[i].row = i;
  for (int i = 0; i < kCrew * kInner; ++i) a[i / kInner][i % kInner] = input[i];
  for (int i = 0; i < kInner * kColumns; ++i) b[i / kColumns][i % kColumns] = input[512 + i];
  crew(work, parts, sizeof *parts);
  unsigned long sum = 0;
  for (int i = 0; i < kCrew * kColumns; ++i) sum = sum * 31 + (unsigned)c[i / kColumns][i % kColumns];
  return answer(sum, 10968904405502939259u);
}
