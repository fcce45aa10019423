/* What the emitter knows how to make, for the models. The models replace libc in a lane: they are compiled with the
 * program, and their own accesses are no schedule points. */
#pragma once

#include "coseq/models/lane.h"

/* An arrival at a schedule point: the step is taken when the call returns. `kind` is an OpKind. */
void snarl_lane_point(int kind, const volatile void* object);
/* The same for an operation that has to wait: both conditions hold when the call returns. */
void snarl_lane_await(int kind, const volatile void* object, int condition, const volatile void* word, int condition2,
                      const volatile void* word2);
/* Another thread may be able to go on: the host looks at the next point. */
void snarl_lane_reschedule(void);
/* The thread in this slot begins with main(argument). */
void snarl_lane_spawn(unsigned slot, void (*main)(void*), void* argument);
/* What orders threads, or makes memory new, beside the operations of points: for who looks for races. */
void snarl_lane_tell(int kind, const volatile void* object, unsigned long size);
/* The running thread is no more. */
void snarl_lane_stop(void) __attribute__((noreturn));
void snarl_lane_end(int status, const volatile void* info, unsigned long detail) __attribute__((noreturn));
/* One floating-point conversion of printf. Returns the length. */
unsigned snarl_lane_format(char* to, unsigned room, const char* spec, double value);
/* The number that the text begins with, as strtod reads it, and the length of it. */
double snarl_lane_parse(const char* text, unsigned* length);
/* A hash of libstdc++, and the number of buckets that a container is to have, 0 for as many as it has. */
unsigned long snarl_lane_hash(const void* bytes, unsigned long size, unsigned long seed);
unsigned long snarl_lane_rehash(void* policy, unsigned long buckets, unsigned long elements, unsigned long more);
void snarl_lane_copy(void* to, const void* from, unsigned long size);
void snarl_lane_fill(void* to, int byte, unsigned long size);
/* Memory that nothing is checked of, and what may be accessed: sizes and addresses in multiples of eight. */
unsigned snarl_lane_peek(unsigned address);
void snarl_lane_poke(unsigned address, unsigned value);
void snarl_lane_poison(unsigned address, unsigned size, int shadow);
int snarl_lane_shadow(unsigned address);
void snarl_lane_thread_locals(unsigned slot);

/* Of one model, for others. */
void snarl_model_leave(void* result) __attribute__((noreturn));
void snarl_model_thread_exits(void);
int snarl_model_create(unsigned long* thread, const union pthread_attr_t* attr, void* (*start)(void*), void* argument,
                       unsigned says);

#define LANE ((struct LaneHeader*)(unsigned long)kLaneHeader)
#define SELF (LANE->current)
#define THREAD(slot) (&LANE->threads[slot])
/* The accesses of a model are not moved out of its step. */
#define BARRIER __asm__ volatile("" ::: "memory")

/* A call against the rules, and who made it so: slot + 1, or 0. The numbers are those of MisuseKind in
 * schedule/misuse.h, whose order never changes. */
enum {
  kUnlockNotOwner = 1,
  kUnlockNotLocked,
  kWaitNotOwner,
  kDestroyLocked,
  kDestroyWaited,
  kUseAfterDestroy,
  kJoinSelf,
  kJoinTwice,
  kJoinDetached,
  kSemaphoreOverflow,
  kCondvarTwoMutexes,
};
static inline void snarl_misuse(const volatile void* object, unsigned long kind, unsigned other) {
  snarl_lane_end(kLaneMisuse, object, kind | (unsigned long)other << 8);
}
/* Of the wait that the thread is about to begin; 0: none. */
static inline void snarl_wait_until(unsigned long deadline) {
  struct LaneThread* self = THREAD(SELF);
  self->woken = 0;
  self->deadline = deadline;
  self->set_at = LANE->now;
}
/* 1 + the slot of a thread that waits for this word to change, or 0. */
static inline unsigned snarl_waiter_of(const volatile void* word) {
  for (unsigned slot = 0; slot < LANE->slots; ++slot) {
    const struct LaneThread* t = THREAD(slot);
    if (t->state == kThreadLives && t->condition != 0 && t->woken == 0 && t->word == (unsigned)(unsigned long)word)
      return slot + 1;
  }
  return 0;
}

/* Of OpKind in schedule/operation.h; its order never changes. */
enum {
  kOpStart = 1,
  kOpExit,
  kOpCreate,
  kOpJoin,
  kOpDetach,
  kOpLock,
  kOpTryLock,
  kOpUnlock,
  kOpMutexInit,
  kOpMutexDestroy,
  kOpWait,
  kOpReacquire,
  kOpSignal,
  kOpBroadcast,
  kOpCondInit,
  kOpCondDestroy,
  kOpOnce,
  kOpYield,
  kOpAfter,
  kOpEndProcess,
  kOpTimeout,
  kOpSleep,
  kOpReadLock,
  kOpTryReadLock,
  kOpWriteLock,
  kOpTryWriteLock,
  kOpRwUnlock,
  kOpRwInit,
  kOpRwDestroy,
  kOpSemWait,
  kOpSemTryWait,
  kOpSemPost,
  kOpSemInit,
  kOpSemDestroy,
  kOpBarrierWait,
  kOpBarrierPass,
  kOpBarrierInit,
  kOpBarrierDestroy,
  kOpFutexWait,
  kOpFutexWoken,
  kOpFutexWake,
  kOpRead = 52,
  kOpWrite,
  kOpAtomicLoad,
  kOpAtomicStore,
  kOpAtomicRmw,
  kTellOnceDone = 200, /* no operations: see snarl_lane_tell */
  kTellAllocated,
  kTellNewThread, /* the object is its slot */
};
