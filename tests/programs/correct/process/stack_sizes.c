// snarl: correct
// Stacks of several sizes, one thread after the other: each thread has about the stack that was asked for, can use it,
// and finds a guard below it and its own variables clean, whatever thread had its memory before.
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int probe[2];
static __thread int own = 7;

// The kernel says whether it may be read.
static int can_read(const char* at) {
  char byte;
  if (write(probe[1], at, 1) != 1) return assert(errno == EFAULT), 0;
  return read(probe[0], &byte, 1) == 1;
}

static void use_stack(size_t size) {
  char* memory = (char*)alloca(size);
  memset(memory, 1, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

static void* look(void* wanted_size) {
  const size_t wanted = *(size_t*)wanted_size;
  pthread_attr_t attributes;
  void* begin;
  size_t size, guard;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &begin, &size) == 0);
  assert(pthread_attr_getguardsize(&attributes, &guard) == 0);
  pthread_attr_destroy(&attributes);
  assert(size >= wanted && size <= 4 * wanted && guard == 4096);  // libc may use a larger one again
  assert((char*)begin < (char*)&size && (char*)&size < (char*)begin + size);
  use_stack(wanted - (48 << 10));
  assert(own++ == 7);
  pthread_mutex_lock(&mutex);
  assert(can_read((const char*)begin));
  assert(!can_read((const char*)begin - 1) && !can_read((const char*)begin - guard));
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static pthread_t start(size_t* size) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (*size == 0)
    pthread_attr_getstacksize(&attributes, size);
  else
    pthread_attr_setstacksize(&attributes, *size);
  assert(pthread_create(&thread, &attributes, look, size) == 0);
  pthread_attr_destroy(&attributes);
  return thread;
}

int main(void) {
  static size_t sizes[] = {64 << 10, 0, 256 << 10, 64 << 10, 16 << 20, 0, 80 << 10, 64 << 10};
  assert(pipe(probe) == 0);
  for (int i = 0; i < 8; i += 2) {
    const pthread_t first = start(&sizes[i]), second = start(&sizes[i + 1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
  }
  return 0;
}
