#include "coseq/host/switches.h"

#include <map>

namespace snarl::coseq {
namespace {

OpKind twin_kind(OpKind kind, OpKind before) {
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw: return OpKind::kUser;
    case OpKind::kAfter: return before == OpKind::kAtomicRmw ? OpKind::kUser : kind;
    default: return kind;
  }
}

OpKind kind_of(uint32_t kind) { return kind == 0 ? OpKind::kStart : static_cast<OpKind>(kind); }

}  // namespace

std::vector<Switch> switches_of(const std::vector<TraceStep>& trace, const Lane& lane) {
  // What each thread did next, seen from each step: from the end, beginning with what it has arrived at.
  std::map<uint32_t, OpKind> next;
  const LaneHeader& h = lane.header();
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    const LaneThread& t = h.threads[slot];
    if (t.state != kThreadLives) continue;
    next[t.ordinal] = t.pc < lane.program().function_count ? OpKind::kStart : kind_of(lane.program().places[t.pc].kind);
  }
  std::vector<OpKind> arrived(trace.size(), OpKind::kExit);  // at, after the step
  for (size_t i = trace.size(); i-- > 0;) {
    if (const auto found = next.find(trace[i].ordinal); found != next.end()) arrived[i] = found->second;
    next[trace[i].ordinal] = kind_of(trace[i].kind);
  }
  std::vector<Switch> switches;
  std::map<uint32_t, uint64_t> taken;
  for (size_t i = 0; i + 1 < trace.size(); ++i) {
    const TraceStep &from = trace[i], &to = trace[i + 1];
    const uint64_t nth = ++taken[from.ordinal];
    if (from.ordinal == to.ordinal || to.step == 0) continue;
    Switch made;
    made.step = to.step - 1;
    made.from = from.ordinal;
    made.to = to.ordinal;
    made.kind = twin_kind(arrived[i], kind_of(from.kind));
    made.reason = kind_of(from.kind) == OpKind::kExit ? Reason::kEnded : Reason::kPreempted;
    if (made.reason == Reason::kEnded) made.kind = OpKind::kExit;
    made.nth = nth;
    switches.push_back(made);
  }
  return switches;
}

}  // namespace snarl::coseq
