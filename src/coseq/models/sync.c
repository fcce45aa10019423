/* Mutexes, condition variables, read-write locks, barriers, semaphores. Their state lives in the program's own objects,
 * where zero is what the static initialisers say, so that a lane begins and is copied without further ado. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "coseq/models/intrinsics.h"

struct mutex {    /* over pthread_mutex_t */
  unsigned owner; /* slot + 1; 0: free */
  unsigned count;
  unsigned gone; /* destroyed */
  unsigned unused;
  int kind; /* where glibc's initialisers write it */
};
struct condition {         /* over pthread_cond_t */
  unsigned long waiters;   /* sets of slots */
  unsigned long eligible;  /* those that some token is for */
  unsigned long tokens[4]; /* of signals: the first of these to be granted takes it; 0: no token */
};
struct rwlock { /* over pthread_rwlock_t */
  int state;    /* readers, or -1: a writer */
  unsigned writer;
  unsigned gone;
  unsigned writers; /* that have arrived, if they come before readers */
  unsigned unused[8];
  int kind; /* where glibc's initialisers write it */
};
struct barrier {
  unsigned expected, arrived, round;
};
struct semaphore {
  unsigned value, gone;
};
#define GONE 0x676f6e65u
#define NO_CONDITION 0x676f6e6500000000ul /* `eligible` of one that was destroyed: nobody waits there */
#define USE(object) \
  if ((object)->gone == GONE) snarl_misuse(object, kUseAfterDestroy, 0)
#define USE_CONDITION(object) \
  if ((object)->eligible == NO_CONDITION) snarl_misuse(object, kUseAfterDestroy, 0)

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attr) {
  struct mutex* m = (struct mutex*)mutex;
  snarl_lane_point(kOpMutexInit, m);
  m->owner = m->count = m->gone = 0;
  m->kind = attr == 0 ? 0 : *(const int*)attr;
  BARRIER;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  struct mutex* m = (struct mutex*)mutex;
  snarl_lane_point(kOpMutexDestroy, m);
  USE(m);
  if (m->owner != 0) snarl_misuse(m, kDestroyLocked, m->owner);
  m->gone = GONE;
  BARRIER;
  return 0;
}
int pthread_mutexattr_init(pthread_mutexattr_t* attr) { return *(int*)attr = 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attr, int kind) {
  *(int*)attr = kind;
  return 0;
}

static int lock_again(struct mutex* m) {
  if (m->kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  ++m->count;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  struct mutex* m = (struct mutex*)mutex;
  if (m->owner == SELF + 1 && (m->kind == PTHREAD_MUTEX_RECURSIVE || m->kind == PTHREAD_MUTEX_ERRORCHECK)) {
    snarl_lane_point(kOpLock, m);
    return lock_again(m);
  }
  snarl_lane_await(kOpLock, m, kLaneZero, &m->owner, 0, 0);
  USE(m);
  m->owner = SELF + 1;
  BARRIER;
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  struct mutex* m = (struct mutex*)mutex;
  snarl_lane_point(kOpTryLock, m);
  USE(m);
  if (m->owner == SELF + 1 && m->kind == PTHREAD_MUTEX_RECURSIVE) return lock_again(m);
  if (m->owner != 0) return EBUSY;
  m->owner = SELF + 1;
  BARRIER;
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  struct mutex* m = (struct mutex*)mutex;
  snarl_lane_point(kOpUnlock, m);
  USE(m);
  if (m->owner != SELF + 1) {
    if (m->kind == PTHREAD_MUTEX_ERRORCHECK || m->kind == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    snarl_misuse(m, m->owner == 0 ? kUnlockNotLocked : kUnlockNotOwner, m->owner);
  }
  if (m->count != 0) {
    --m->count;
  } else {
    m->owner = 0;
    snarl_lane_reschedule();
  }
  BARRIER;
  snarl_lane_point(kOpAfter, m);
  return 0;
}

int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  (void)shared;
  snarl_lane_point(kOpMutexInit, lock);
  return *lock = 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) {
  snarl_lane_point(kOpMutexDestroy, lock);
  if (*lock != 0) snarl_misuse(lock, kDestroyLocked, (unsigned)*lock);
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
  snarl_lane_await(kOpLock, lock, kLaneZero, lock, 0, 0);
  *lock = (int)SELF + 1;
  BARRIER;
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) {
  snarl_lane_point(kOpTryLock, lock);
  if (*lock != 0) return EBUSY;
  *lock = (int)SELF + 1;
  BARRIER;
  return 0;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  snarl_lane_point(kOpUnlock, lock);
  *lock = 0;
  snarl_lane_reschedule();
  BARRIER;
  snarl_lane_point(kOpAfter, lock);
  return 0;
}

int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attr) {
  (void)attr;
  struct condition* c = (struct condition*)cond;
  snarl_lane_point(kOpCondInit, c);
  c->waiters = c->eligible = 0;
  for (int i = 0; i < 4; ++i) c->tokens[i] = 0;
  BARRIER;
  return 0;
}
int pthread_cond_destroy(pthread_cond_t* cond) {
  struct condition* c = (struct condition*)cond;
  snarl_lane_point(kOpCondDestroy, c);
  USE_CONDITION(c);
  int tokens = 0;
  while (tokens < 4 && c->tokens[tokens] != 0) ++tokens;
  if (__builtin_popcountl(c->waiters) > tokens)
    snarl_misuse(c, kDestroyWaited, (unsigned)__builtin_ctzl(c->waiters) + 1);
  if (c->waiters == 0) c->eligible = NO_CONDITION;
  BARRIER;
  return 0;
}
int pthread_condattr_init(pthread_condattr_t* attr) { return *(int*)attr = 0; }
int pthread_condattr_destroy(pthread_condattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_condattr_setclock(pthread_condattr_t* attr, clockid_t clock) {
  (void)attr;
  (void)clock;
  return 0;
}

static void leave_condition(struct condition* c, unsigned long bit) {
  c->waiters &= ~bit;
  c->eligible = 0;
  for (int i = 0; i < 4; ++i) {
    c->tokens[i] &= ~bit;
    c->eligible |= c->tokens[i];
  }
}

/* A thread that a broadcast has not woken takes the oldest token that is for it. */
static void take_token(struct condition* c, unsigned long bit) {
  for (int i = 0; i < 4; ++i)
    if (c->tokens[i] & bit) {
      for (; i < 3; ++i) c->tokens[i] = c->tokens[i + 1];
      c->tokens[3] = 0;
      return;
    }
}

static int wait_until(pthread_cond_t* cond, pthread_mutex_t* mutex, unsigned long deadline) {
  struct condition* c = (struct condition*)cond;
  struct mutex* m = (struct mutex*)mutex;
  struct LaneThread* self = THREAD(SELF);
  const unsigned long bit = 1ul << SELF;
  THREAD(SELF)->word2 = (unsigned)(unsigned long)&m->owner; /* for who looks for races */
  snarl_lane_point(kOpWait, c);
  USE_CONDITION(c);
  if (m->owner != SELF + 1) snarl_misuse(m, kWaitNotOwner, m->owner);
  for (unsigned slot = 0; slot < LANE->slots; ++slot)
    if (c->waiters >> slot & 1 && THREAD(slot)->word2 != (unsigned)(unsigned long)&m->owner)
      snarl_misuse(c, kCondvarTwoMutexes, slot + 1);
  unsigned count = m->count;
  m->owner = m->count = 0;
  c->waiters |= bit;
  snarl_wait_until(deadline);
  BARRIER;
  snarl_lane_reschedule();
  snarl_lane_await(kOpReacquire, c, kLaneWoken, &c->eligible, kLaneZero, &m->owner);
  self->deadline = 0;
  m->owner = SELF + 1;
  m->count = count;
  int result = self->woken == kWokenByDeadline ? ETIMEDOUT : 0;
  if (self->woken == 0) take_token(c, bit);
  leave_condition(c, bit);
  self->woken = 0;
  BARRIER;
  return result;
}

int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) { return wait_until(cond, mutex, 0); }

/* An absolute time as one of the virtual clock, which begins with the second 1000000000. */
static unsigned long deadline_of(const struct timespec* time) {
  const long second = time->tv_sec >= 1000000000 ? time->tv_sec - 1000000000 : time->tv_sec;
  const unsigned long at = (unsigned long)second * 1000000000ul + (unsigned long)time->tv_nsec;
  return at == 0 ? 1 : at;
}
static int is_time(const struct timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }
int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const struct timespec* until) {
  if (!is_time(until)) return EINVAL;
  return wait_until(cond, mutex, deadline_of(until));
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until) {
  struct mutex* m = (struct mutex*)mutex;
  struct LaneThread* self = THREAD(SELF);
  if (m->owner == SELF + 1 && (m->kind == PTHREAD_MUTEX_RECURSIVE || m->kind == PTHREAD_MUTEX_ERRORCHECK))
    return pthread_mutex_lock(mutex);
  if (!is_time(until)) { /* which matters only where it is waited */
    const int busy = pthread_mutex_trylock(mutex);
    return busy == 0 ? 0 : EINVAL;
  }
  snarl_wait_until(deadline_of(until));
  BARRIER;
  snarl_lane_await(kOpLock, m, kLaneZero, &m->owner, 0, 0);
  const int late = self->woken == kWokenByDeadline;
  self->deadline = 0;
  self->woken = 0;
  if (!late) m->owner = SELF + 1;
  BARRIER;
  return late ? ETIMEDOUT : 0;
}

/* All clocks of a lane are one, whose zero is known by the size of the time. */
int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  (void)clock;
  return pthread_cond_timedwait(cond, mutex, until);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, until);
}

int pthread_cond_signal(pthread_cond_t* cond) {
  struct condition* c = (struct condition*)cond;
  snarl_lane_point(kOpSignal, c);
  USE_CONDITION(c);
  int tokens = 0;
  while (tokens < 4 && c->tokens[tokens] != 0) ++tokens;
  if (__builtin_popcountl(c->waiters) > tokens) {
    if (tokens < 4) {
      c->tokens[tokens] = c->waiters;
      c->eligible |= c->waiters;
    } else { /* no room for another choice: the first waiter */
      unsigned slot = (unsigned)__builtin_ctzl(c->waiters);
      THREAD(slot)->woken = kWokenBySignal;
      leave_condition(c, 1ul << slot);
    }
    snarl_lane_reschedule();
  }
  BARRIER;
  snarl_lane_point(kOpAfter, c);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* cond) {
  struct condition* c = (struct condition*)cond;
  snarl_lane_point(kOpBroadcast, c);
  USE_CONDITION(c);
  for (unsigned slot = 0; slot < LANE->slots; ++slot)
    if (c->waiters >> slot & 1) THREAD(slot)->woken = kWokenBySignal;
  c->waiters = c->eligible = 0;
  for (int i = 0; i < 4; ++i) c->tokens[i] = 0;
  snarl_lane_reschedule();
  BARRIER;
  snarl_lane_point(kOpAfter, c);
  return 0;
}

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) {
  struct rwlock* l = (struct rwlock*)lock;
  snarl_lane_point(kOpRwInit, l);
  l->state = 0;
  l->writer = l->gone = l->writers = 0;
  l->kind = attr == 0 ? 0 : *(const int*)attr;
  BARRIER;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  struct rwlock* l = (struct rwlock*)lock;
  snarl_lane_point(kOpRwDestroy, l);
  USE(l);
  if (l->state != 0) snarl_misuse(l, kDestroyLocked, l->writer);
  l->gone = GONE;
  BARRIER;
  return 0;
}
int pthread_rwlockattr_init(pthread_rwlockattr_t* attr) { return *(int*)attr = 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attr) {
  (void)attr;
  return 0;
}
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t* attr, int kind) {
  if (kind < 0 || kind > 2) return EINVAL;
  *(int*)attr = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t* attr, int* kind) {
  *kind = *(const int*)attr;
  return 0;
}
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t* attr, int shared) {
  (void)attr;
  return shared == 0 ? 0 : ENOTSUP;
}
static int prefers_writers(const struct rwlock* l) { return l->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }

/* `until` 0: for ever. */
static int read_lock(struct rwlock* l, unsigned long until) {
  struct LaneThread* self = THREAD(SELF);
  if (l->state < 0 && l->writer == SELF + 1) {
    snarl_lane_point(kOpReadLock, l);
    return EDEADLK;
  }
  snarl_wait_until(until);
  BARRIER;
  snarl_lane_await(kOpReadLock, l, kLaneNotNegative, &l->state, kLaneZero,
                   prefers_writers(l) ? &l->writers : &l->unused[0]);
  USE(l);
  const int late = self->woken == kWokenByDeadline;
  self->deadline = 0;
  self->woken = 0;
  if (!late) ++l->state;
  BARRIER;
  return late ? ETIMEDOUT : 0;
}
static int write_lock(struct rwlock* l, unsigned long until) {
  struct LaneThread* self = THREAD(SELF);
  if (l->state < 0 && l->writer == SELF + 1) {
    snarl_lane_point(kOpWriteLock, l);
    return EDEADLK;
  }
  snarl_wait_until(until);
  l->writers += prefers_writers(l);
  BARRIER;
  snarl_lane_await(kOpWriteLock, l, kLaneZero, &l->state, 0, 0);
  USE(l);
  const int late = self->woken == kWokenByDeadline;
  self->deadline = 0;
  self->woken = 0;
  l->writers -= prefers_writers(l);
  if (late) {
    snarl_lane_reschedule();
  } else {
    l->state = -1;
    l->writer = SELF + 1;
  }
  BARRIER;
  return late ? ETIMEDOUT : 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) { return read_lock((struct rwlock*)lock, 0); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) { return write_lock((struct rwlock*)lock, 0); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  struct rwlock* l = (struct rwlock*)lock;
  snarl_lane_point(kOpTryReadLock, l);
  USE(l);
  if (l->state < 0 || (prefers_writers(l) && l->writers != 0)) return EBUSY;
  ++l->state;
  BARRIER;
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  struct rwlock* l = (struct rwlock*)lock;
  snarl_lane_point(kOpTryWriteLock, l);
  USE(l);
  if (l->state != 0) return EBUSY;
  l->state = -1;
  l->writer = SELF + 1;
  BARRIER;
  return 0;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  if (is_time(until)) return read_lock((struct rwlock*)lock, deadline_of(until));
  return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : EINVAL;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  if (is_time(until)) return write_lock((struct rwlock*)lock, deadline_of(until));
  return pthread_rwlock_trywrlock(lock) == 0 ? 0 : EINVAL;
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_rwlock_timedrdlock(lock, until);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_rwlock_timedwrlock(lock, until);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  struct rwlock* l = (struct rwlock*)lock;
  snarl_lane_point(kOpRwUnlock, l);
  USE(l);
  if (l->state == 0) snarl_misuse(l, kUnlockNotLocked, 0);
  if (l->state < 0 && l->writer != SELF + 1) snarl_misuse(l, kUnlockNotOwner, l->writer);
  if (l->state < 0) l->writer = 0;
  l->state = l->state < 0 ? 0 : l->state - 1;
  snarl_lane_reschedule();
  BARRIER;
  snarl_lane_point(kOpAfter, l);
  return 0;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attr, unsigned count) {
  (void)attr;
  struct barrier* b = (struct barrier*)barrier;
  if (count == 0) return EINVAL;
  snarl_lane_point(kOpBarrierInit, b);
  b->expected = count;
  b->arrived = b->round = 0;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  struct barrier* b = (struct barrier*)barrier;
  snarl_lane_point(kOpBarrierDestroy, b);
  if (b->arrived != 0) snarl_misuse(b, kDestroyWaited, snarl_waiter_of(b));
  BARRIER;
  return 0;
}
int pthread_barrier_wait(pthread_barrier_t* barrier) {
  struct barrier* b = (struct barrier*)barrier;
  snarl_lane_point(kOpBarrierWait, b);
  if (++b->arrived == b->expected) {
    b->arrived = 0;
    ++b->round;
    for (unsigned slot = 0; slot < LANE->slots; ++slot)
      if (THREAD(slot)->word == (unsigned)(unsigned long)b && THREAD(slot)->condition == kLaneNever)
        THREAD(slot)->woken = kWokenBySignal;
    snarl_lane_reschedule();
    BARRIER;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  struct LaneThread* self = THREAD(SELF);
  self->woken = 0;
  BARRIER;
  snarl_lane_await(kOpBarrierPass, b, kLaneNever, b, 0, 0);
  self->woken = 0;
  BARRIER;
  return 0;
}

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) {
    errno = EINVAL;
    return -1;
  }
  snarl_lane_point(kOpSemInit, semaphore);
  ((struct semaphore*)semaphore)->value = value;
  ((struct semaphore*)semaphore)->gone = 0;
  return 0;
}
int sem_destroy(sem_t* semaphore) {
  struct semaphore* s = (struct semaphore*)semaphore;
  snarl_lane_point(kOpSemDestroy, s);
  USE(s);
  if (s->value == 0 && snarl_waiter_of(s) != 0) snarl_misuse(s, kDestroyWaited, snarl_waiter_of(s));
  s->gone = GONE;
  BARRIER;
  return 0;
}
int sem_wait(sem_t* semaphore) {
  snarl_lane_await(kOpSemWait, semaphore, kLanePositive, semaphore, 0, 0);
  USE((struct semaphore*)semaphore);
  --*(unsigned*)semaphore;
  BARRIER;
  return 0;
}
int sem_trywait(sem_t* semaphore);
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
  if (!is_time(until)) {
    const int busy = sem_trywait(semaphore);
    if (busy != 0) errno = EINVAL;
    return busy;
  }
  struct LaneThread* self = THREAD(SELF);
  snarl_wait_until(deadline_of(until));
  BARRIER;
  snarl_lane_await(kOpSemWait, semaphore, kLanePositive, semaphore, 0, 0);
  const int late = self->woken == kWokenByDeadline;
  self->deadline = 0;
  self->woken = 0;
  if (late)
    errno = ETIMEDOUT;
  else
    --*(unsigned*)semaphore;
  BARRIER;
  return late ? -1 : 0;
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return sem_timedwait(semaphore, until);
}
int sem_trywait(sem_t* semaphore) {
  snarl_lane_point(kOpSemTryWait, semaphore);
  USE((struct semaphore*)semaphore);
  if (*(int*)semaphore <= 0) {
    errno = EAGAIN;
    return -1;
  }
  --*(unsigned*)semaphore;
  BARRIER;
  return 0;
}
int sem_post(sem_t* semaphore) {
  snarl_lane_point(kOpSemPost, semaphore);
  USE((struct semaphore*)semaphore);
  if (*(int*)semaphore == INT_MAX) snarl_misuse(semaphore, kSemaphoreOverflow, 0);
  ++*(unsigned*)semaphore;
  snarl_lane_reschedule();
  BARRIER;
  snarl_lane_point(kOpAfter, semaphore);
  return 0;
}
int sem_getvalue(sem_t* semaphore, int* value) {
  snarl_lane_point(kOpSemTryWait, semaphore);
  USE((struct semaphore*)semaphore);
  *value = *(int*)semaphore;
  BARRIER;
  return 0;
}
