// Who finds the box filled and not yet marked takes it; its owner takes it back.
#include "blind.h"
volatile int box, marked;
int main() {
  run(
      [] {
        box = 1;
        marked = 1;
        box = 0;
      },
      [] {
        if (box == 1 && marked == 1) {
          const int seen = box;
          check(seen == box);
        }
      });
}
