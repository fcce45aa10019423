// The C interface of libsnarl. The C++ header snarl/snarl.h wraps it, so a program's compiler, standard library and
// exceptions need not be those that libsnarl was built with.
#ifndef SNARL_C_H
#define SNARL_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A field that is zero has its default.
struct snarl_options {
  size_t size;         // sizeof(struct snarl_options)
  const char* policy;  // several with commas between: "random,pct:depth=3"
  uint64_t schedules;
  double seconds;
  double timeout;  // seconds
  uint64_t steps;
  uint64_t seed;       // 0 is a seed like any other, and the default
  const char* name;    // of the test
  const char* filter;  // arguments that make the program run this test alone
  const char* replay;
  int heap;
  int fork;
  int gates;
  void (*prepare)(void);  // called in the child, before its first schedule
  const char* points;     // "sync": calls alone are schedule points; default: all that the build allows
  size_t result_size;     // sizeof(struct snarl_result)
};

struct snarl_result {
  int passed;
  uint64_t schedules;
  uint64_t distinct;  // about this many of them were different
  double seconds;
  uint32_t threads;  // the most that were seen, including the one that runs the body
  uint64_t steps;
  const char* kind;
  const char* summary;
  const char* report;
  const char* replay;
  const char* reset;
  const char* reset_why;
  const char* switching;
  const char* note;
  void* keep;          // the library's
  const char* points;  // which points there were
  const char* tested;  // how many schedules with which points, in one line
};

void snarl_explore(const struct snarl_options* options, void (*body)(void*), void* data, struct snarl_result* result);
void snarl_free(struct snarl_result* result);
// The running schedule fails: 0 a check, 1 an exception. Does not return.
void snarl_fail(int kind, const char* why) __attribute__((noreturn));
// For SNARL_SOMETIMES.
int snarl_register_sometimes(const char* text, const char* file, int line, const char* function);
void snarl_sometimes(int site, int is_true);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SNARL_C_H
