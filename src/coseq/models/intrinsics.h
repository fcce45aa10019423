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
/* The running thread is no more. */
void snarl_lane_stop(void) __attribute__((noreturn));
void snarl_lane_end(int status, const volatile void* info, unsigned long detail) __attribute__((noreturn));
/* One floating-point conversion of printf. Returns the length. */
unsigned snarl_lane_format(char* to, unsigned room, const char* spec, double value);
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
  kOpRead = 52,
  kOpWrite,
  kOpAtomicLoad,
  kOpAtomicStore,
  kOpAtomicRmw,
};
