// Who finds the flag up, in the middle of another one's work, lowers a third one's, who looks twice.
#include "blind.h"
volatile int busy, door = 1;
int main() {
  run(
      [] {
        busy = 1;
        const int seen = door;
        check(seen == door);
        busy = 0;
      },
      [] {
        if (busy == 1) door = 0;
      });
}
