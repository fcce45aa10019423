#include "runtime/hooks/await.h"

#include <errno.h>
#include <poll.h>

#include "runtime/platform/descriptors.h"
#include "runtime/run/cancel.h"
#include "runtime/run/point.h"

namespace snarl::runtime {
namespace {

bool has_buffered(const FILE& stream) { return stream._IO_read_ptr < stream._IO_read_end; }

// Another reader of the stream may have read for this one, too.
bool stream_ready(const Readiness& readiness) {
  const FILE& stream = *static_cast<const FILE*>(readiness.data);
  return has_buffered(stream) || is_ready(Readiness{.fd = stream._fileno, .events = POLLIN});
}

}  // namespace

int await(Thread& self, const Readiness& readiness, uint64_t pc, bool timed, uint64_t deadline) {
  Inside inside(self);
  start_awaiting(self, readiness);
  Op op{.kind = OpKind::kIo, .timed = timed, .interrupts = readiness.interrupts, .deadline = deadline, .pc = pc};
  op.object = static_cast<uint64_t>(readiness.fd);
  int result;
  do {
    op.value = is_ready(readiness) ? 1 : 0;
    op.traits = cancel::traits_of(self);
    result = engine::point(self, op);
  } while (result == ERESTART);
  stop_awaiting(self);
  if (result != ECANCELED) return result;
  cancel::act(self);
  return await(self, readiness, pc, timed, deadline);
}

void await_stream(FILE* stream, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr || has_buffered(*stream) || !may_wait(stream->_fileno)) return;
  await(*self,
        Readiness{
            .ready = stream_ready, .data = stream, .interrupts = Interrupts::kNever, .own = is_own(stream->_fileno)},
        pc);
}

}  // namespace snarl::runtime
