#include "base/check.h"

#include <sys/syscall.h>

namespace snarl {
namespace {

// Raw system calls, because a check may fail inside a tested process, where libc may be locked or replaced.
long raw3(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

void put(const char* text) {
  long length = 0;
  while (text[length] != '\0') ++length;
  raw3(SYS_write, 2, reinterpret_cast<long>(text), length);
}

void put_number(int value) {
  char digits[12];
  int at = sizeof digits - 1;
  digits[at] = '\0';
  do digits[--at] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  put(digits + at);
}

}  // namespace

void check_failed(const char* what, const char* file, int line) {
  put("snarl: internal error: ");
  put(what);
  put(" does not hold at ");
  put(file);
  put(":");
  put_number(line);
  put(" (a bug of snarl, not of the tested program)\n");
  for (;;) raw3(SYS_exit_group, 125, 0, 0);
}

}  // namespace snarl
