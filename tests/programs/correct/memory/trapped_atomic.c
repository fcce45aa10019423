// snarl: correct
// An atomic instruction of three bytes in the midst of branch targets, without padding nearby: no jump fits in its
// place, so that it is an int3 under snarl. All signals are blocked, and SIGTRAP has a handler of the program's own.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static unsigned char left = 100, taken;
static volatile int other_traps;
static void count(int signal) { (void)signal, ++other_traps; }

// Takes one; the flags say whether any are left.
__attribute__((noinline)) static int take(unsigned char* from, int again) {
  int result;
  __asm__ volatile(
      ".rept 70\n add $1, %%eax\n .endr\n"
      "1: test %%edx, %%edx\n"
      "jne 3f\n"
      "2: lock decb (%%rdi)\n"
      "3: jne 4f\n"
      "xor %%edx, %%edx\n"
      "4: dec %%edx\n"
      "js 5f\n"
      "test %%edx, %%edx\n"
      "je 2b\n"
      "5: .rept 70\n add $1, %%eax\n .endr\n"
      : "=a"(result), "+d"(again)
      : "D"(from), "a"(0)
      : "memory", "cc");
  return result;
}

static void* work(void* unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, 0);
  for (int i = 0; i < 10; ++i) assert(take(&left, 0) == 140);
  __atomic_add_fetch(&taken, 10, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  sigset_t trap;
  signal(SIGTRAP, count);
  sigemptyset(&trap), sigaddset(&trap, SIGTRAP);
  sigprocmask(SIG_BLOCK, &trap, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(taken == 20 && left == 80);
  return other_traps;
}
