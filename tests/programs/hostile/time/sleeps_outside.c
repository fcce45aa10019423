// A thread sleeps in a system call that nobody can see, until the other thread wakes it: passes if the
// watchdog takes the turn from it in time.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void* waiter(void* arg) {
  char byte;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_read), "D"((long)ends[0]), "S"(&byte), "d"(1L)
                   : "rcx", "r11", "memory");
  return result == 1 ? arg : NULL;
}

int main(void) {
  pthread_t thread;
  void* woken = NULL;
  if (pipe(ends) != 0) return 2;
  pthread_create(&thread, NULL, waiter, ends);
  if (write(ends[1], "x", 1) != 1) return 2;
  pthread_join(thread, &woken);
  return woken == ends ? 0 : 1;
}
