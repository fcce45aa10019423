// The lock of a stdio stream, when the program takes it by name: a recursive mutex.
#include <stdio.h>

#include "runtime/hook.h"

namespace snarl {
namespace {

Op stream_op(OpKind kind, FILE* stream, uint64_t pc) {
  return Op{.kind = kind, .mutex = MutexKind::kRecursive, .shape = LockShape::kStream, .object = address_of(stream), .pc = pc};
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

}  // namespace snarl
