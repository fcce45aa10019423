#include "runtime/platform/task.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/platform/raw.h"

namespace snarl::runtime::task {
namespace {

// The beginning of /proc/self/task/TID/NAME; the length of what was read.
template <size_t kSize>
long read_file(int tid, const char* name, char (&text)[kSize]) {
  char path[48] = "/proc/self/task/";
  char* end = path + 16;
  raw::put_number(end, tid);
  *end++ = '/';
  while (*name != '\0') *end++ = *name++;
  *end = '\0';
  const long file = raw::call(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return 0;
  const long size = raw::call(SYS_read, file, text, kSize);
  raw::call(SYS_close, file);
  return size < 0 ? 0 : size;
}

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99; }

// Stops at the first character that is not a digit.
long number(const char*& text, const char* end, int base) {
  long value = 0;
  for (; text < end && digit(*text) < base; ++text) value = value * base + digit(*text);
  return value;
}

}  // namespace

bool is_alone() {
  struct stat tasks;
  constexpr nlink_t kAlone = 3;  // ".", "..", and one folder for each thread
  return raw::call(SYS_stat, "/proc/self/task", &tasks) != 0 || tasks.st_nlink <= kAlone;
}

// 'S' after the name, which stands in parentheses and may hold anything.
bool is_asleep(int tid) {
  char text[128];
  const long size = read_file(tid, "stat", text);
  for (long i = size - 1; i > 0; --i)
    if (text[i - 1] == ')' && i + 1 < size) return text[i + 1] == 'S';
  return false;
}

// The encoding behind pthread_getcpuclockid.
uint64_t cpu_time_of(int tid) {
  timespec time = {};
  const clockid_t id = static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6u);
  raw::call(SYS_clock_gettime, id, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// "1 0x2 0x7f..": number and arguments; "-1 ..", if it sleeps in none; "running".
Call call_of(int tid) {
  char text[64];
  const char* at = text;
  const char* const end = text + read_file(tid, "syscall", text);
  if (at == end) return {kUnknownCall, 0};
  if (digit(*at) > 9) return {kNoCall, 0};
  const long call = number(at, end, 10);
  at += 3;  // " 0x"
  return {call, number(at, end, 16)};
}

}  // namespace snarl::runtime::task
