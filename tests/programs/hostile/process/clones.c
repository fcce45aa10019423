// Makes an OS thread, or a process, without pthread_create and fork, as its argument says: by `clone`, which shares its
// memory or has a `copy`; by `clone3` through syscall(); by an `inline` system call; by an asynchronous read (`aio`).
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char stack[64 * 1024] __attribute__((aligned(16)));
static volatile int seen;

static int note(void* arg) {
  (void)arg;
  seen = 1;
  return 0;
}

static int by_clone(void) {
  int status = 1;
  const pid_t child = clone(note, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 && seen;
}

static int in_copy(void* arg) {
  seen = 1;
  pthread_mutex_lock(arg);
  return pthread_mutex_unlock(arg);
}

static int by_copy(void) {
  static pthread_mutex_t free_one = PTHREAD_MUTEX_INITIALIZER;
  int status = 1;
  const pid_t child = clone(in_copy, stack + sizeof stack, SIGCHLD, &free_one);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 && !seen;
}

static int by_clone3(void) {
  struct clone_args how = {.exit_signal = SIGCHLD};
  const long child = syscall(SYS_clone3, &how, sizeof how);
  if (child == 0) _exit(0);
  int status = 1;
  return child > 0 && waitpid((pid_t)child, &status, 0) == child && status == 0;
}

// A thread as the kernel knows it, which uses nothing of libc and stays until the process ends.
static int by_inline_call(void) {
  register long r10 __asm__("r10") = 0;
  register long r8 __asm__("r8") = 0;
  long result;
  __asm__ volatile(
      "syscall\n"
      "test %%rax, %%rax\n"
      "jnz 1f\n"
      "movl $1, seen(%%rip)\n"
      "2: movl $34, %%eax\n"  // pause
      "syscall\n"
      "jmp 2b\n"
      "1:\n"
      : "=a"(result)
      : "a"((long)SYS_clone),
        "D"((long)(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM)),
        "S"(stack + sizeof stack), "d"(0L), "r"(r10), "r"(r8)
      : "rcx", "r11", "memory");
  return result > 0;
}

static int by_aio(void) {
  static char byte;
  struct aiocb read = {.aio_fildes = open("/dev/zero", O_RDONLY), .aio_buf = &byte, .aio_nbytes = 1};
  const struct aiocb* list[] = {&read};
  return aio_read(&read) == 0 && aio_suspend(list, 1, NULL) == 0 && aio_return(&read) == 1;
}

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "clone";
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const int done = strcmp(how, "clone3") == 0   ? by_clone3()
                   : strcmp(how, "inline") == 0 ? by_inline_call()
                   : strcmp(how, "aio") == 0    ? by_aio()
                   : strcmp(how, "copy") == 0   ? by_copy()
                                                : by_clone();
  work(NULL);
  pthread_join(thread, NULL);
  return done ? 0 : 1;
}
