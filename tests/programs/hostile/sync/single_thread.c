// Never creates a thread.
#include <stdio.h>

int main(void) {
  puts("alone");
  return 0;
}
