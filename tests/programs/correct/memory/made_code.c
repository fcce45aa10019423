// snarl: correct
// Code that is made at run time, with an atomic instruction that nobody can have patched.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static const unsigned char add_one[] = {0xf0, 0xff, 0x07, 0xc3};  // lock incl (%rdi); ret
static void (*add)(int*);
static int count;

static void* work(void* unused) {
  for (int i = 0; i < 5; ++i) add(&count);
  return unused;
}

int main(void) {
  void* code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(code != MAP_FAILED);
  memcpy(code, add_one, sizeof add_one);
  assert(mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0);
  memcpy(&add, &code, sizeof add);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  work(0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(count == 15);
}
