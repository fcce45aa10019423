/* A scheduling policy of your own, as a shared library: snarl run -p ./my_policy.so -- PROGRAM

   Define one object named `snarl_policy_entry` with SNARL_POLICY_ABI in its first field:

     struct snarl_policy snarl_policy_entry = {SNARL_POLICY_ABI, sizeof(struct state), begin, decide, turns};

   The library is loaded into the tested process before main. Its functions are called there, never
   at the same time, while every thread of the program stands still: they must not call malloc, take
   a lock, do I/O or look at a clock, and all their randomness must come from `run->random`. Then a
   seed means the same schedule every time. See examples/policy. */
#ifndef SNARL_POLICY_H
#define SNARL_POLICY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SNARL_POLICY_ABI
#define SNARL_POLICY_ABI 2u
#endif
#define SNARL_POLICY_VALUES 8

/* One run of the program. Stays valid until its end. */
struct snarl_run {
  uint64_t seed, index; /* name the run */
  uint64_t turn;        /* how many runs the policy has had before it in this exploration */
  uint64_t steps;       /* k: steps that earlier runs had, at most */
  uint32_t threads;     /* n: threads that they had */
  uint32_t value_count;
  double values[SNARL_POLICY_VALUES];                          /* -p ./my_policy.so:V1,V2,... */
  uint64_t (*random)(const struct snarl_run*, uint64_t bound); /* uniform in 0..bound-1 */
  void* internal;
};

/* A live thread, or the timer of one that waits with a deadline (choosing it ends the wait). */
struct snarl_thread {
  uint64_t name;    /* the same in every run */
  uint64_t steps;   /* that it has taken */
  uint64_t object;  /* that its next operation is about: compare, nothing else */
  uint64_t place;   /* address of that operation in the program */
  const char* kind; /* "lock", "unlock", "wait", ...: as in schedule files */
  uint32_t ordinal; /* 0 is main, then in order of creation */
  uint16_t slot;    /* below SNARL_SLOTS; of no other live thread, but may be used again */
  uint8_t enabled;  /* it can take a step now */
  uint8_t timer;
};
#define SNARL_SLOTS 2048

struct snarl_view {
  uint64_t step; /* steps taken so far */
  int32_t last;  /* index in `threads` of the one that took the last; -1: it has ended */
  uint32_t count;
  const struct snarl_thread* threads;
};

struct snarl_policy {
  uint32_t abi;                                            /* SNARL_POLICY_ABI */
  uint32_t state_size;                                     /* bytes of `state`, at most 65536; zero before begin */
  void (*begin)(void* state, const struct snarl_run* run); /* may be null */
  /* The index in view->threads of an enabled one, which takes the next step. */
  uint32_t (*decide)(void* state, const struct snarl_run* run, const struct snarl_view* view);
  /* How many schedules it has for runs with these values; it gets no `turn` beyond them. 0, or a null pointer: it
     draws without end. Called before begin. */
  uint32_t (*turns)(const struct snarl_run* run);
};

extern
#ifdef __GNUC__
    __attribute__((visibility("default")))
#endif
    struct snarl_policy snarl_policy_entry;

#ifdef __cplusplus
}
#endif
#endif
