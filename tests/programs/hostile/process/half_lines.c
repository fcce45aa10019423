// fgets waits inside libc, with the stream's lock held, for the second half of a line that another
// thread writes later; a third thread wants the same stream. Nothing of this is a deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fds[2];
static FILE* stream;

static void* read_line(void* arg) {
  char line[32] = "";
  assert(fgets(line, sizeof line, stream) != NULL);
  assert(strcmp(line, "whole\n") == 0);
  return arg;
}

int main(void) {
  pthread_t readers[2];
  if (pipe(fds) != 0 || (stream = fdopen(fds[0], "r")) == NULL) return 1;
  for (int i = 0; i < 2; ++i) pthread_create(&readers[i], NULL, read_line, NULL);
  for (int i = 0; i < 2; ++i) assert(write(fds[1], "who", 3) == 3 && write(fds[1], "le\n", 3) == 3);
  for (int i = 0; i < 2; ++i) pthread_join(readers[i], NULL);
  return 0;
}
