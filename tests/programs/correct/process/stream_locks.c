// snarl: correct
// Lines that are written in pieces with the stream locked stay whole.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE* stream;
static char text[256];

static void put(const char* piece) {
  for (; *piece; ++piece) putc_unlocked(*piece, stream);
}

static void* write_line(void* arg) {
  (void)arg;
  flockfile(stream);
  put("one ");
  flockfile(stream);  // it counts
  put("two ");
  funlockfile(stream);
  put("three\n");
  funlockfile(stream);
  if (ftrylockfile(stream) == 0) funlockfile(stream);
  return NULL;
}

int main(void) {
  stream = fmemopen(text, sizeof text, "w");
  assert(stream != NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, write_line, NULL);
  pthread_create(&b, NULL, write_line, NULL);
  write_line(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  fclose(stream);
  assert(strcmp(text, "one two three\none two three\none two three\n") == 0);
}
