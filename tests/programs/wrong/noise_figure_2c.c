// snarl: kind=assert depth=2 policy=noise-random:make=switch,strength=0.2 within=5000 policy=noise-white:make=switch,strength=0.2 within=5000
// Figure 2c of the paper on noise makers: the divisor is made zero only by a switch in iteration 5, so neither always
// switching there nor never doing so shows the bug.
#include <assert.h>
#include <pthread.h>

#include "../../../include/snarl/point.h"

static int i;

static void* make_zero(void* unused) {
  if (i == 5) i = 0;
  return unused;
}

int main(void) {
  pthread_t t2;
  pthread_create(&t2, 0, make_zero, 0);
  for (i = 1; i <= 10; ++i) {
    snarl_point("T1.3");  // after: if (i != 0)
    assert(i != 0);       // y = 1 / i
  }
  pthread_join(t2, 0);
}
