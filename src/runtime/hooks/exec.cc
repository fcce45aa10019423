// Becoming another program ends the run for us: a point, after which the new program is alone, and
// what it does, to its exit code, is the outcome. Its environment is clean of us.
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "runtime/run/point.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// The step, and the time in which there may be another program here: it would die of the signal for those who compute,
// so whoever looks after fibers is told that there are none. If the call returns, they are there.
class Leaving {
 public:
  explicit Leaving(uint64_t pc) : self_(at_point(pc)) {
    if (self_ == nullptr) return;
    Inside inside(*self_);
    engine::point(*self_, Op{.kind = OpKind::kExec, .pc = pc});
    live_ = __atomic_exchange_n(&engine::shared->state.on_fibers.live, 0u, __ATOMIC_RELAXED);
  }
  ~Leaving() {
    if (self_ != nullptr) engine::shared->state.on_fibers.live = live_;
  }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  Thread* self_;
  uint32_t live_ = 0;
};

constexpr int kMostArguments = 1024;  // of execl and its like, which name each one

// True if the list fits; `list` stands behind the null that ends it.
bool collect(char** argv, const char* first, va_list& list) {
  int count = 0;
  for (const char* argument = first; argument != nullptr; argument = va_arg(list, const char*)) {
    if (count + 1 >= kMostArguments) return false;
    argv[count++] = const_cast<char*>(argument);
  }
  argv[count] = nullptr;
  return true;
}

int too_many() {
  errno = E2BIG;
  return -1;
}

int exec_list(int (*exec)(const char*, char* const*), const char* file, const char* first, va_list& list) {
  char* argv[kMostArguments];
  return collect(argv, first, list) ? exec(file, argv) : too_many();
}

}  // namespace

SNARL_HOOK int execve(const char* path, char* const argv[], char* const environment[]) noexcept {
  const Leaving leaving(SNARL_PC);
  return real().execve(path, argv, environment);
}

SNARL_HOOK int execv(const char* path, char* const argv[]) noexcept {
  const Leaving leaving(SNARL_PC);
  return real().execv(path, argv);
}

SNARL_HOOK int execvp(const char* file, char* const argv[]) noexcept {
  const Leaving leaving(SNARL_PC);
  return real().execvp(file, argv);
}

SNARL_HOOK int execvpe(const char* file, char* const argv[], char* const environment[]) noexcept {
  const Leaving leaving(SNARL_PC);
  return real().execvpe(file, argv, environment);
}

SNARL_HOOK int fexecve(int fd, char* const argv[], char* const environment[]) noexcept {
  const Leaving leaving(SNARL_PC);
  return real().fexecve(fd, argv, environment);
}

SNARL_HOOK int execl(const char* path, const char* first, ...) noexcept {
  const Leaving leaving(SNARL_PC);
  va_list list;
  va_start(list, first);
  const int result = exec_list(real().execv, path, first, list);
  va_end(list);
  return result;
}

SNARL_HOOK int execlp(const char* file, const char* first, ...) noexcept {
  const Leaving leaving(SNARL_PC);
  va_list list;
  va_start(list, first);
  const int result = exec_list(real().execvp, file, first, list);
  va_end(list);
  return result;
}

SNARL_HOOK int execle(const char* path, const char* first, ...) noexcept {
  const Leaving leaving(SNARL_PC);
  char* argv[kMostArguments];
  va_list list;
  va_start(list, first);
  const bool fits = collect(argv, first, list);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return fits ? real().execve(path, argv, environment) : too_many();
}

}  // namespace snarl::runtime
