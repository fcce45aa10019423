#include "runtime/run/points.h"

#include <cerrno>

#include "instrument/block.h"
#include "runtime/memory/standing.h"
#include "runtime/parallel/run.h"
#include "runtime/platform/raw.h"
#include "runtime/run/point.h"
#include "runtime/state/hook.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

// In a lock of the program's own that was described (runtime/hooks/named.cc). One that was left by an exception or by
// longjmp did not say so.
bool is_uninterrupted(Thread& self) {
  if (reinterpret_cast<uint64_t>(__builtin_frame_address(0)) < self.uninterrupted) return true;
  self.uninterrupted = 0;
  return false;
}

// The calling thread, if it is in the program's own code; it may run in parallel with others then.
Thread* arriving() {
  Thread* self = current;
  if (self == nullptr || self->inside != self->outermost) return nullptr;
  return self->uninterrupted != 0 && is_uninterrupted(*self) ? nullptr : self;
}

// The same, if operations of that kind are points.
Thread* arriving(OpKind kind) {
  return (levels_of(kind) & engine::shared->command.settings.points) == 0 ? nullptr : arriving();
}

// At an access, in a run that looks for races.
[[gnu::noinline]] void arrive_in_sight(Thread& self, const Op& op) {
  standing::look(self, op);
  if (--engine::allowance >= 0) return;
  const int error = errno;
  quiet::wanted = true;
  Inside inside(self);
  standing::wait(self, op);
  engine::point(self, op);
  standing::leave(self);
  errno = error;
}

void arrive(Thread& self, const Op& op) {
  if (runs_in_parallel()) return parallel::quiet_point(self, op);
  if (standing::is_on && is_memory_access(op.kind)) return arrive_in_sight(self, op);
  if (is_quiet(op.kind) && --engine::allowance >= 0) return;
  const int error = errno;
  quiet::wanted = true;
  Inside inside(self);
  engine::point(self, op);
  errno = error;
}

// Code that was patched says no order, and its instructions are as strong as they come.
MemoryOrder order_in(uint32_t what) {
  const MemoryOrder order = instrument::order_in(what);
  constexpr OpKinds kAtomics = {OpKind::kAtomicLoad, OpKind::kAtomicStore, OpKind::kAtomicRmw, OpKind::kFence};
  return order == MemoryOrder::kNone && kAtomics.has(instrument::kind_in(what)) ? MemoryOrder::kSequential : order;
}

// So that a report can say it after the process has ended.
void keep_label(const char* name) {
  wire::Layout& wire = *engine::shared;
  const auto address = reinterpret_cast<uint64_t>(name);
  for (uint32_t i = 0; i < wire.state.labels; ++i)
    if (wire.labels[i].address == address) return;
  if (wire.state.labels == wire::kMaxLabels) return;
  wire::Label& label = wire.labels[wire.state.labels];
  label = {.address = address};
  for (size_t i = 0; i + 1 < sizeof label.text && name[i] != '\0'; ++i) label.text[i] = name[i];
  ++wire.state.labels;
}

}  // namespace

void function_point(uint64_t pc, uint64_t caller) {
  if (Thread* self = arriving()) arrive(*self, Op{.kind = OpKind::kFunction, .object = caller, .pc = pc});
}

void spin_point(uint64_t pc, uint64_t address, uint32_t size) {
  if (Thread* self = arriving())
    arrive(
        *self,
        Op{.kind = OpKind::kAtomicLoad, .order = MemoryOrder::kSequential, .object = address, .value = size, .pc = pc});
}

SNARL_HOOK void snarl_rt_point(uint32_t what, uint64_t pc, uint64_t address, uint32_t size) {
  const OpKind kind = instrument::kind_in(what);
  Thread* self = arriving(kind);
  if (self == nullptr) return;
  arrive(*self, Op{.kind = kind, .order = order_in(what), .object = address, .value = size, .pc = pc});
}

SNARL_HOOK void snarl_rt_point_after(uint32_t what, uint64_t pc, uint64_t address) {
  const OpKind kind = instrument::kind_in(what);
  Thread* self = arriving(kind);
  if (self == nullptr) return;
  Op op{.kind = OpKind::kAfter, .after = kind, .order = order_in(what), .object = address, .pc = pc};
  if (!runs_in_parallel()) op.seen = engine::performed(*self, address, op.order);
  arrive(*self, op);
}

// include/snarl/point.h
SNARL_HOOK void snarl_point(const char* name) {
  Thread* self = arriving(OpKind::kUser);
  if (self == nullptr || name == nullptr) return;
  keep_label(name);
  arrive(*self, Op{.kind = OpKind::kUser, .object = address_of(name), .pc = SNARL_PC});
}

}  // namespace snarl::runtime
