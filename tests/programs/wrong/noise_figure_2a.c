// snarl: kind=assert depth=2 policy=noise-random:make=switch within=5000 policy=noise-separating:make=switch,family=exact within=5000
// Figure 2a of the paper on noise makers: T1 must give way between test and division, and T2 nowhere before x is zero.
#include <assert.h>
#include <pthread.h>

#include "../../../include/snarl/point.h"

static int x = 1;

static void* make_zero(void* unused) {
  snarl_point("T2.1");
  snarl_point("T2.2");
  snarl_point("T2.3");
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t2;
  pthread_create(&t2, 0, make_zero, 0);
  if (x != 0) {
    snarl_point("T1.2");
    assert(x != 0);  // y = 1 / x
  }
  pthread_join(t2, 0);
}
