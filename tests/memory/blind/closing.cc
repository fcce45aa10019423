// A worker that sees the end come adds a line, while the one who ends adds the last.
#include "blind.h"
volatile int closing, length, lines;
int main() {
  run(
      [] {
        closing = 1;
        length = length + 1;
        closing = 2;
      },
      [] {
        if (closing == 1) {
          length = length + 1;
          lines = 1;
        }
      });
  check(length == 1 + lines);
}
