#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

static jmp_buf back;
static void* work(void* argument) {
  __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
  return argument;
}
int main(void) {
  pthread_t a;
  long double wide = sysconf(_SC_PAGESIZE);
  wide *= wide;
  if (setjmp(back) == 0) pthread_create(&a, 0, work, 0);
  fork();
  return (int)wide & 0;
}
