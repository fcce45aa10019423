// snarl: correct
// No atomic instruction in it. At -O1 gcc 12 puts the table of an inner switch right behind that of the outer one: read
// on, the outer table leads into the middle of instructions.
#include <pthread.h>

__attribute__((noinline)) static int use(int x) {
  static int sum;
  return sum += x;
}

__attribute__((noinline)) int choose(unsigned a, unsigned b, int* p) {
  switch (a) {
    case 0: p[149] += use(364); break;
    case 1:
      p[160] += use(7);
      p[24] += use(456);
      switch (b) {
        case 0: p[39] ^= use(0); return 0;
        case 1: p[38] ^= use(1); return 1;
        case 2: p[83] ^= use(2); break;
        case 3: p[42] ^= use(3); return 3;
        case 11: p[81] ^= use(11); break;
      }
      break;
    case 2:
    case 5:
      switch (b) {
        case 5: p[78] ^= use(5); return 5;
      }
      break;
    case 7: p[151] += use(872);
  }
  return p[0];
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  int p[256] = {0};
  for (unsigned a = 0; a < 10; a++)
    for (unsigned b = 0; b < 20; b++) {
      pthread_mutex_lock(&mutex);
      choose(a, b, p);
      pthread_mutex_unlock(&mutex);
    }
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, work, 0);
  pthread_create(&y, 0, work, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
