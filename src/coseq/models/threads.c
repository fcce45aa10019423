/* pthread_create and what ends a thread. */
#include <errno.h>
#include <pthread.h>

#include "coseq/models/intrinsics.h"

#define KEYS 32
static __thread void* values[KEYS];
static void (*destructors[KEYS])(void*);
static unsigned keys;

struct begin {
  void* (*start)(void*);
  void* argument;
};

static unsigned long handle_of(unsigned slot) { return (unsigned long)THREAD(slot)->ordinal << 8 | (slot + 1); }
static unsigned slot_of(unsigned long handle) {
  unsigned slot = (unsigned)(handle & 0xff) - 1;
  if (slot >= kLaneThreads || THREAD(slot)->ordinal != handle >> 8) return kLaneThreads;
  return slot;
}

static void run_destructors(void) {
  for (int round = 0; round < 4; ++round)
    for (unsigned i = 0; i < keys; ++i) {
      void* value = values[i];
      if (value == 0 || destructors[i] == 0) continue;
      values[i] = 0;
      destructors[i](value);
    }
}

void exit(int code) __attribute__((noreturn));
void snarl_model_leave(void* result) {
  snarl_model_thread_exits();
  run_destructors();
  snarl_lane_point(kOpExit, 0);
  if (LANE->living == 1) exit(0); /* the last thread ends the process */
  struct LaneThread* self = THREAD(SELF);
  self->result = (unsigned long)result;
  self->state = self->detached ? kThreadFree : kThreadEnded;
  --LANE->living;
  snarl_lane_stop();
}

static void thread_main(void* creator) {
  struct begin begin = *(struct begin*)creator;
  snarl_lane_point(kOpStart, 0);
  snarl_model_leave(begin.start(begin.argument));
}

/* A thread that has not begun yet has not read where to begin: so that is written into a record of its own. */
static struct begin records[kLaneThreads];

/* `says`: the function that reports name. */
int snarl_model_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument,
                       unsigned says) {
  unsigned slot = 0;
  while (slot < kLaneThreads && THREAD(slot)->state != kThreadFree) ++slot;
  if (slot == kLaneThreads) snarl_lane_end(kLaneTooManyThreads, 0, kLaneThreads);
  struct LaneThread* made = THREAD(slot);
  made->state = kThreadLives;
  made->condition = made->condition2 = 0;
  made->woken = 0;
  made->deadline = 0;
  made->object = 0;
  made->result = 0;
  made->detached = attr != 0 && *(const int*)attr == 1;
  made->ordinal = LANE->created++;
  made->start = says;
  if (slot >= LANE->slots) LANE->slots = slot + 1;
  ++LANE->living;
  records[slot].start = start;
  records[slot].argument = argument;
  snarl_lane_thread_locals(slot);
  snarl_lane_spawn(slot, thread_main, &records[slot]);
  snarl_lane_tell(kTellNewThread, (void*)(unsigned long)slot, 0);
  *thread = handle_of(slot);
  BARRIER;
  snarl_lane_point(kOpAfter, 0);
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument) {
  snarl_lane_point(kOpCreate, 0);
  return snarl_model_create(thread, attr, start, argument, (unsigned)(unsigned long)start);
}

int pthread_join(pthread_t handle, void** result) {
  unsigned slot = slot_of(handle);
  if (slot == kLaneThreads) { /* its slot is another's by now */
    snarl_lane_point(kOpJoin, 0);
    snarl_misuse(0, kJoinTwice, 0);
  }
  struct LaneThread* joined = THREAD(slot);
  const int detached = joined->detached, over = joined->state == kThreadFree;
  if (slot == SELF || detached || over || snarl_waiter_of(&joined->state) != 0) {
    snarl_lane_point(kOpJoin, &joined->state);
    snarl_misuse(&joined->state, slot == SELF ? kJoinSelf : detached ? kJoinDetached : kJoinTwice, slot + 1);
  }
  snarl_lane_await(kOpJoin, &joined->state, kLaneNotOne, &joined->state, 0, 0);
  if (joined->detached) snarl_misuse(&joined->state, kJoinDetached, slot + 1);
  if (result != 0) *result = (void*)THREAD(slot)->result;
  THREAD(slot)->state = kThreadFree;
  BARRIER;
  return 0;
}

int pthread_detach(pthread_t handle) {
  unsigned slot = slot_of(handle);
  if (slot == kLaneThreads) return ESRCH;
  snarl_lane_point(kOpDetach, &THREAD(slot)->state);
  THREAD(slot)->detached = 1;
  if (THREAD(slot)->state == kThreadEnded) THREAD(slot)->state = kThreadFree;
  BARRIER;
  return 0;
}

void pthread_exit(void* result) { snarl_model_leave(result); }
pthread_t pthread_self(void) { return handle_of(SELF); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_attr_init(pthread_attr_t* attr) { return *(int*)attr = 0; }
int pthread_attr_destroy(pthread_attr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_attr_setdetachstate(pthread_attr_t* attr, int state) {
  *(int*)attr = state;
  return 0;
}
int pthread_attr_setscope(pthread_attr_t* attr, int scope) {
  (void)attr;
  (void)scope;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t* attr, unsigned long size) {
  (void)attr;
  (void)size;
  return 0;
}
int pthread_setname_np(pthread_t thread, const char* name) {
  (void)thread;
  (void)name;
  return 0;
}
int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (keys == KEYS) snarl_lane_end(kLaneLimit, "32 keys of pthread_key_create", 0);
  destructors[keys] = destructor;
  *key = keys++;
  return 0;
}
int pthread_key_delete(pthread_key_t key) {
  destructors[key] = 0;
  return 0;
}
void* pthread_getspecific(pthread_key_t key) { return key < KEYS ? values[key] : 0; }
int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= keys) return EINVAL;
  values[key] = (void*)value;
  return 0;
}

int pthread_once(pthread_once_t* control, void (*routine)(void)) {
  snarl_lane_await(kOpOnce, control, kLaneNotOne, control, 0, 0);
  if (*control == 2) return 0;
  *control = 1;
  BARRIER;
  routine();
  *control = 2;
  BARRIER;
  snarl_lane_tell(kTellOnceDone, control, 0);
  snarl_lane_reschedule();
  return 0;
}
