/* Ends of the process. */
#include "coseq/models/intrinsics.h"

#define EXITS 128
static struct {
  void (*plain)(void);
  void (*with)(void*); /* one of both is there */
  void* argument;
} at_exit[EXITS];
static unsigned exits;

static unsigned next_exit(void) {
  if (exits == EXITS) snarl_lane_end(kLaneLimit, "128 functions of atexit and destructors of global variables", 0);
  return exits++;
}
int atexit(void (*function)(void)) {
  const unsigned i = next_exit();
  at_exit[i].plain = function;
  at_exit[i].with = 0;
  return 0;
}
void* __dso_handle;
int __cxa_atexit(void (*function)(void*), void* argument, void* dso) {
  (void)dso;
  const unsigned i = next_exit();
  at_exit[i].plain = 0;
  at_exit[i].with = function;
  at_exit[i].argument = argument;
  return 0;
}
static void run_exits(void) {
  while (exits > 0) {
    --exits;
    if (at_exit[exits].plain != 0)
      at_exit[exits].plain();
    else
      at_exit[exits].with(at_exit[exits].argument);
  }
}

/* Destructors of thread-local variables: the last first, when the thread ends. */
#define LOCALS 32
static __thread struct {
  void (*function)(void*);
  void* argument;
} thread_exits[LOCALS];
static __thread unsigned thread_exit_count;

int __cxa_thread_atexit(void (*function)(void*), void* argument, void* dso) {
  (void)dso;
  if (thread_exit_count == LOCALS) snarl_lane_end(kLaneLimit, "32 destructors of thread-local variables", 0);
  thread_exits[thread_exit_count].function = function;
  thread_exits[thread_exit_count++].argument = argument;
  return 0;
}
void snarl_model_thread_exits(void) {
  while (thread_exit_count > 0) {
    --thread_exit_count;
    thread_exits[thread_exit_count].function(thread_exits[thread_exit_count].argument);
  }
}
void _exit(int code) {
  snarl_lane_point(kOpEndProcess, 0);
  snarl_lane_end(kLaneExit, (void*)(unsigned long)(code & 0xff), 0);
}
void exit(int code) {
  snarl_lane_point(kOpEndProcess, 0);
  snarl_model_thread_exits();
  run_exits();
  snarl_lane_end(kLaneExit, (void*)(unsigned long)(code & 0xff), 0);
}
void _Exit(int code) { _exit(code); }
void abort(void) { snarl_lane_end(kLaneAbort, 0, 0); }
void __assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  (void)file;
  (void)function;
  LANE->line = line;
  snarl_lane_end(kLaneAssert, text, 0);
}
