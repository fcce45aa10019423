// snarl: kind=assert depth=2 policy=noise-random:make=switch within=5000 policy=noise-separating:make=switch,family=exact within=5000
// Figure 2b of the paper on noise makers: exactly one switch before x is zero lets T2 test it; a second lets it divide
// too.
#include <assert.h>
#include <pthread.h>

#include "../../../include/snarl/point.h"

static int x = 1;

static void* divide(void* unused) {
  if (x != 0) {
    snarl_point("T2.2");
    assert(x != 0);  // y = 1 / x
  }
  return unused;
}

int main(void) {
  pthread_t t2;
  pthread_create(&t2, 0, divide, 0);
  snarl_point("T1.1");
  snarl_point("T1.2");
  x = 0;
  pthread_join(t2, 0);
}
