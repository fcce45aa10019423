// Depth 4: three switches at one step each. The other thread is suspended after two of its points, main after two of
// its own, the other again after four, and main's last point sees it there.
#include "tight.h"

static int other_at, main_at, main_saw, other_saw;

static void* other(void* arg) {
  for (int i = 0; i < 5; ++i) {
    point();
    if (i == 2) write_to(&other_saw, read_of(&main_at) == 2 && read_of(&main_saw));
    write_to(&other_at, i + 1);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = 0; i < 3; ++i) {
    point();
    if (i == 0) write_to(&main_saw, read_of(&other_at) == 2);
    if (i == 2 && read_of(&other_at) == 4 && read_of(&other_saw)) abort();
    write_to(&main_at, i + 1);
  }
  pthread_join(thread, NULL);
}
