// A reader that comes while the version is odd reads on.
#include "blind.h"
volatile int version, low, high;
int main() {
  run(
      [] {
        version = 1;
        low = 1;
        high = 1;
        version = 2;
      },
      [] {
        if (version == 1) {
          const int first = low;
          check(first == high);
        }
      });
}
