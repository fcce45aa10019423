// The end of the process, by a call: its last point.
#include "runtime/parallel/member.h"
#include "runtime/parallel/run.h"
#include "runtime/state/state.h"

namespace snarl::runtime::parallel {
namespace {

void end_point(int code) {
  Thread* self = me();
  if (self == nullptr) return;
  arrive(*self, OpKind::kEndProcess, nullptr, self->caller);
  note(*self);
  Inside inside(*self);
  engine::shared->state.exit_code = code;
  if (code != 0) write_threads(*self);
}

void exit_process(int code) {
  end_point(code);
  libc().exit(code);
}

void exit_at_once(int code) {
  end_point(code);
  libc()._exit(code);
}

void exit_quickly(int code) {
  end_point(code);
  libc().quick_exit(code);
}

}  // namespace

void install_exits(Real& table) {
  table.exit = exit_process;
  table._exit = exit_at_once;
  table._Exit = exit_at_once;
  table.quick_exit = exit_quickly;
}

}  // namespace snarl::runtime::parallel
