// The lock of a stdio stream, when the program takes it by name: a recursive mutex.
#include <stdio.h>

#include "runtime/hooks/await.h"
#include "runtime/run/point.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

Op stream_op(OpKind kind, FILE* stream, uint64_t pc) {
  return Op{.kind = kind,
            .mutex = MutexKind::kRecursive,
            .shape = LockShape::kStream,
            .object = address_of(stream),
            .pc = pc};
}

}  // namespace

SNARL_HOOK void flockfile(FILE* stream) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().flockfile(stream);
  Inside inside(*self);
  engine::point(*self, stream_op(OpKind::kLock, stream, SNARL_PC));
  real().flockfile(stream);
}

SNARL_HOOK int ftrylockfile(FILE* stream) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().ftrylockfile(stream);
  Inside inside(*self);
  if (engine::point(*self, stream_op(OpKind::kTryLock, stream, SNARL_PC)) != 0) return 1;
  return real().ftrylockfile(stream);
}

SNARL_HOOK void funlockfile(FILE* stream) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().funlockfile(stream);
  Inside inside(*self);
  const Op op = stream_op(OpKind::kUnlock, stream, SNARL_PC);
  engine::point(*self, op);
  real().funlockfile(stream);
  engine::point_after(*self, op);
}

// stdio reads by calls that nobody can see, holding the stream's lock: wait before, if there is
// nothing in its buffer. A line that comes in pieces may still wait inside; then the watchdog helps.
SNARL_HOOK char* fgets(char* line, int size, FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().fgets(line, size, stream);
}

SNARL_HOOK int fgetc(FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().fgetc(stream);
}

SNARL_HOOK int getc(FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().getc(stream);
}

// By another name here: the header has it inline, as a call of __getdelim.
SNARL_HOOK ssize_t hooked_getline(char** line, size_t* size, FILE* stream) asm("getline");
ssize_t hooked_getline(char** line, size_t* size, FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().getline(line, size, stream);
}

SNARL_HOOK ssize_t __getdelim(char** line, size_t* size, int end, FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().getdelim(line, size, end, stream);
}

SNARL_HOOK ssize_t getdelim(char** line, size_t* size, int end, FILE* stream) {
  await_stream(stream, SNARL_PC);
  return real().getdelim(line, size, end, stream);
}

}  // namespace snarl::runtime
