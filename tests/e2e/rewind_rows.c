// What could be left behind by a schedule, a row each: the argument names it. Every row looks first whether all is as
// it was at main, and exits with 9 if not; then it leaves its mark. So with reset rewind each schedule must pass, or
// must be made by a copy.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPage = 4096, kMany = 1 << 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char untouched[kMany];  // of which no page is there before main
static char touched[kMany] = {1};
static __attribute__((aligned(4096))) char page[4096] = {1};
static __thread long of_thread = 7;
static void* mapped;  // before main, by a constructor
static int order;     // which of two threads came first

static void expect(int good) {
  if (!good) _exit(9);
}

__attribute__((constructor)) static void map_before_main(void) {
  mapped = mmap(NULL, 8 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void handle(int number) { (void)number; }

static void leave_pages(void) {
  for (size_t i = 0; i < sizeof untouched; i += kPage) expect(untouched[i] == 0);
  for (size_t i = 0; i < sizeof touched; i += kPage) expect(touched[i] == (i == 0));
  memset(untouched, 5, sizeof untouched);
  memset(touched, 5, sizeof touched);
}

// Other pages each time, so that there are always some that no schedule has written before.
static void leave_scattered_pages(void) {
  for (size_t i = 0; i < sizeof untouched; i += kPage) expect(untouched[i] == 0);
  char* at = untouched + (size_t)((uintptr_t)order * 37 % 200 + 1) * kPage;
  *at = 3;
}

static void leave_thread_locals(void) { expect(of_thread++ == 7); }

static void leave_mappings(void) {
  for (int i = 0; i < 8; ++i) {
    char* block = malloc(400000);
    expect(block != NULL && block[200000] == 0);
    memset(block, 5, 400000);
  }
  char* own = mmap(NULL, 4 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  own = mremap(own, 4 * kPage, 64 * kPage, MREMAP_MAYMOVE);
  expect(own != MAP_FAILED && own[60 * kPage] == 0);
  memset(own, 5, 64 * kPage);
  munmap(own + 8 * kPage, 8 * kPage);
  mprotect(own + 32 * kPage, kPage, PROT_NONE);
}

static void leave_break(void) {
  char* end = sbrk(0);
  char* more = sbrk(100 * kPage);
  expect(more == end && more[50 * kPage] == 0);
  memset(more, 5, 100 * kPage);
}

static int grow_stack(int depth) {
  volatile char room[8192];
  room[0] = (char)depth;
  return depth == 0 ? room[0] : grow_stack(depth - 1) + room[0];
}

static void leave_stack(void) { expect(grow_stack(300) != 1); }

static void leave_signals(void) {
  struct sigaction action;
  sigaction(SIGUSR1, NULL, &action);
  expect(action.sa_handler == SIG_DFL);
  signal(SIGUSR1, handle);
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  expect(!sigismember(&mask, SIGUSR2));
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  stack_t stack = {.ss_sp = untouched, .ss_size = 64 * 1024};
  sigaltstack(&stack, NULL);
}

static void storm(void) {
  signal(SIGUSR1, handle);
  for (int i = 0; i < 200; ++i) raise(SIGUSR1);
}

static void leave_descriptors(void) {
  expect(fcntl(3, F_GETFD) == -1);
  int ends[2];
  for (int i = 0; i < 20; ++i) expect(pipe(ends) == 0);
  expect(write(ends[1], "x", 1) == 1);
  expect(dup(ends[0]) > 0);
  expect(open("/proc/self/stat", O_RDONLY) > 0);
}

static void write_output(void) {
  const int copy = dup(1);
  dprintf(copy, "%d", order);
  printf("a line\n");
  fprintf(stderr, "another\n");
}

static void read_input(void) {
  char line[16];
  expect(fgets(line, sizeof line, stdin) != NULL && strcmp(line, "first\n") == 0);
  lseek(0, 3, SEEK_SET);
}

static void leave_name(void) {
  char name[16];
  prctl(PR_GET_NAME, name);
  expect(strcmp(name, "changed") != 0);
  pthread_setname_np(pthread_self(), "changed");
}

static void set_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  expect(limit.rlim_cur != 77);
  limit.rlim_cur = 77;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void forbid_dumps(void) {
  expect(prctl(PR_GET_DUMPABLE) == 1);
  prctl(PR_SET_DUMPABLE, 0);
}

static void change_mask_of_files(void) { expect(umask(0111) != 0111); }

static void protect_old_memory(void) {
  page[0] = 1;  // faults, if it stays protected
  mprotect(page, sizeof page, PROT_READ);
}

static void unmap_old_memory(void) {
  expect(*(char*)mapped == 0);
  munmap(mapped, kPage);
}

static void map_over_old_memory(void) {
  expect(*(char*)mapped == 0);
  char* at = mmap(mapped, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  *at = 5;
}

static void make_children(void) {
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    expect(waitpid(child, NULL, 0) == child);
  }
}

static void change_folder(void) {
  char folder[4096];
  expect(getcwd(folder, sizeof folder) != NULL && strcmp(folder, "/") != 0);
  expect(chdir("/") == 0);
}

// Far below all that the program could know of: it faults in a copy.
static void write_over_us(void) {
  if (order == 1) memset((void*)(UINT64_C(1) << 45), 5, 1 << 16);
}

static void fail_sometimes(void) { exit(order == 1 ? 3 : 0); }
static void abort_sometimes(void) {
  if (order == 1) abort();
}
static void fault_sometimes(void) {
  if (order == 1) *(volatile int*)8 = 1;
}
static void lock_twice_sometimes(void) {
  if (order == 1) pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
}

static const struct {
  const char* name;
  void (*leave)(void);
} rows[] = {{"pages", leave_pages},
            {"scattered", leave_scattered_pages},
            {"thread_locals", leave_thread_locals},
            {"mappings", leave_mappings},
            {"break", leave_break},
            {"stack", leave_stack},
            {"signals", leave_signals},
            {"storm", storm},
            {"descriptors", leave_descriptors},
            {"output", write_output},
            {"input", read_input},
            {"name", leave_name},
            {"limit", set_limit},
            {"dumpable", forbid_dumps},
            {"umask", change_mask_of_files},
            {"protect", protect_old_memory},
            {"unmap", unmap_old_memory},
            {"map_over", map_over_old_memory},
            {"children", make_children},
            {"chdir", change_folder},
            {"overwrite", write_over_us},
            {"exit", fail_sometimes},
            {"abort", abort_sometimes},
            {"fault", fault_sometimes},
            {"deadlock", lock_twice_sometimes}};

static void* work(void* number) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    order = order * 2 % 1021 + (int)(intptr_t)number;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void* begin(void* unused) {
  pthread_mutex_lock(&mutex);
  order = order == 0 ? 2 : order;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int count, char** words) {
  if (count != 2) return 8;
  pthread_t one, other;
  if (pthread_create(&one, NULL, begin, NULL) != 0) return 8;
  pthread_mutex_lock(&mutex);
  order = order == 0 ? 1 : order;
  pthread_mutex_unlock(&mutex);
  pthread_join(one, NULL);
  if (strcmp(words[1], "scattered") == 0) {
    pthread_create(&one, NULL, work, (void*)1);
    pthread_create(&other, NULL, work, (void*)5);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(words[1], rows[i].name) == 0) rows[i].leave();
  return 0;
}
