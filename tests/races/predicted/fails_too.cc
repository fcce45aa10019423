// Fails in each schedule. Besides, it has a race that a lock hides in some of them.
#define main program
#include "../wrong/hidden_by_lock.cc"
#undef main

int main() {
  program();
  return 3;
}
