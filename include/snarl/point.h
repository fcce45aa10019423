/* A schedule point of your own: a place in your code where snarl may switch to another thread.
 *
 *   snarl_point("after-cas");      C
 *   snarl::point("after-cas");     C++
 *
 * Without snarl it does nothing, and needs no library: the function is looked for when the program is loaded.
 * The name is shown in reports; it must stay where it is, as a literal does. (Code compiled with -fno-pie and
 * linked with -no-pie by an old linker never finds the function: there it does nothing under snarl either.)
 */
#ifndef SNARL_POINT_H
#define SNARL_POINT_H

#ifdef __cplusplus
extern "C" {
#endif

void snarl_point(const char* name) __attribute__((weak));

#ifdef __cplusplus
}

namespace snarl {

inline void point(const char* name) {
  if (&snarl_point != nullptr) snarl_point(name);
}

}  // namespace snarl
#endif

/* In C too, the call is made only where there is such a function. */
#define snarl_point(name) (snarl_point ? (snarl_point)(name) : (void)(name))

#endif
