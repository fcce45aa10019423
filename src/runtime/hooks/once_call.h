/* pthread_once runs the program's code inside a hook, and that code may throw. The frame
   that must clean up then is in C (once.c): its personality routine is libgcc's own, while
   a C++ one would be a second copy of the program's. */
#pragma once

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

struct SnarlOnce {
  void* thread; /* the calling thread's record */
  pthread_once_t* control;
  void (*outer)(void); /* the routine of an enclosing pthread_once */
  unsigned inside;     /* the thread's depth before the hook */
};

int snarl_once(struct SnarlOnce* once);

/* Provided by runtime/hooks/once.cc. */
int snarl_once_real(pthread_once_t* control, void (*routine)(void));
void snarl_once_leave(struct SnarlOnce* once);
void snarl_once_routine(void);

#ifdef __cplusplus
}
#endif
