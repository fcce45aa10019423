// The last one out tears down what a slower one still looks at.
#include "blind.h"
std::atomic<int> users{2};
volatile int object = 7;
void leave() {
  if (users.fetch_sub(1) == 2)
    check(object == 7);
  else
    object = 0;
}
int main() { run(leave, leave); }
