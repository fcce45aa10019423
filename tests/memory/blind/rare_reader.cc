// Two threads write; a third reads twice, but only in schedules in which it finds the first between its two writes.
#include "blind.h"
volatile int stage, data;
int main() {
  run(
      [] {
        stage = 1;
        data = 1;
        stage = 2;
      },
      [] { data = 2; },
      [] {
        if (stage == 1) {
          const int seen = data;
          check(seen == data);
        }
      });
}
