// Correct, but children run as fast as they like: a schedule is not the same again by its seed alone.
// fork, vfork, posix_spawn, system and popen while another thread works: children have a clean
// environment, and waiting for them lets the other thread run.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* count(void* arg) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

static void expect(pid_t child, int code) {
  int status = 0;
  assert(child > 0 && waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

int main(void) {
  pthread_t counting;
  pid_t child;
  char line[64] = "";
  char* const argv[] = {"sh", "-c", "test -z \"$LD_PRELOAD$SNARL_WIRE\" && exit 5", NULL};
  pthread_create(&counting, NULL, count, NULL);

  child = fork();
  if (child == 0) _exit(3);
  expect(child, 3);

  child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 4", (char*)NULL);
    _exit(1);
  }
  expect(child, 4);

  assert(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ) == 0);
  expect(child, 5);

  assert(WEXITSTATUS(system("exit 6")) == 6);

  FILE* stream = popen("echo hello; exit 7", "r");
  assert(stream != NULL && fgets(line, sizeof line, stream) != NULL && strcmp(line, "hello\n") == 0);
  assert(WEXITSTATUS(pclose(stream)) == 7);

  pthread_join(counting, NULL);
  assert(counter == 3);
  return 0;
}
