// Sleeping and yielding: who does so lets others go on.
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/state/state.h"
#include "runtime/trace/careful_read.h"

namespace snarl::runtime::parallel {
namespace {

// A yield, a pause or another look is an ordinary step. A thread that makes so many of them in a row and does little
// else may be waiting for another: from then on it makes way at some of them, for so long.
constexpr uint32_t kManyRounds = 1024, kRounds = 16;
constexpr uint64_t kLongestRound = 8;  // steps: a lock, a look, and the lock given back
constexpr uint64_t kGiveWay = 50'000;
constexpr uint32_t kVeryMany = 4096, kManyLoads = 65536, kLongest = 40;

// A sleep that takes no time is a yield.
void sleep_to(Thread& self, Time until) {
  arrive(self, OpKind::kSleep, nullptr, self.caller);
  if (until <= now()) {
    end_if_asked(self);
    count_round(self);
    return note(self);
  }
  sleep_until(self, until);
  note(self);
}

int nano_sleep(const timespec* span, timespec* left) {
  Thread* self = me();
  if (self == nullptr || !is_valid(*span)) return libc().nanosleep(span, left);
  sleep_to(*self, time_in(*span));
  return 0;
}

int clock_nano_sleep(clockid_t clock, int flags, const timespec* span, timespec* left) {
  Thread* self = me();
  if (self == nullptr || !is_valid(*span)) return libc().clock_nanosleep(clock, flags, span, left);
  sleep_to(*self, (flags & TIMER_ABSTIME) != 0 ? time_at(clock, *span) : time_in(*span));
  return 0;
}

int micro_sleep(useconds_t span) {
  if (me() == nullptr) return libc().usleep(span);
  sleep_to(*current, time_in(uint64_t{span} * 1000));
  return 0;
}

unsigned second_sleep(unsigned span) {
  if (me() == nullptr) return libc().sleep(span);
  sleep_to(*current, time_in(uint64_t{span} * 1'000'000'000));
  return 0;
}

// High threads that spin would keep the low one waiting that they spin for; low ones those of a lower
// rank; and the last one enabled the sleepers. Its run is marked.
bool makes_way(Thread& self) {
  Desk desk(self);
  ++engine::shared->state.passed_over;
  if (desk.crew().others_enabled(self.id)) return true;
  if (is_virtual_time()) desk.skip_time();
  return false;
}

int yield() {
  Thread* self = me();
  if (self == nullptr) return libc().sched_yield();
  arrive(*self, OpKind::kYield, nullptr, self->caller);
  count_round(*self);
  note(*self);
  return member_of(*self).rounds < kManyRounds ? 0 : libc().sched_yield();  // on a busy machine that one takes long
}

// A pause, or the same write again: nothing else happened between.
bool is_another_round(Member& member, OpKind kind, uint64_t pc) {
  if (kind == OpKind::kPause) return true;
  const bool again = member.last_atomic == pc;
  member.last_atomic = pc;
  return again && (kind == OpKind::kAtomicRmw || kind == OpKind::kAtomicStore);  // an exchange counts as a store
}

}  // namespace

// The longer it spins, the longer it gives way: whoever it waits for may not have a core, on a busy machine.
void count_round(Thread& self) {
  Member& member = member_of(self);
  const uint64_t steps = member.entry->steps;
  member.rounds = steps - member.steps_at_round <= kLongestRound ? member.rounds + 1 : 1;
  member.steps_at_round = steps;
  if (member.rounds < kManyRounds || member.rounds % kRounds != 0 || !makes_way(self)) return;
  const uint32_t longer = member.rounds / kVeryMany;
  give_way_for(self, kGiveWay * (1 + (longer < kLongest ? longer : kLongest)));
}

// As count_round(), for one that only looks.
static void count_load(Thread& self, uint64_t address, uint64_t pc) {
  conduct::LoadWatch& loads = member_of(self).loads;
  if (!loads.makes_way(pc, address, careful::read(address, 1)) || !makes_way(self)) return;
  const uint32_t longer = loads.fruitless() / kManyLoads;
  give_way_for(self, kGiveWay * (1 + (longer < kLongest ? longer : kLongest)));
}

void quiet_point(Thread& self, const Op& op) {
  if (op.kind == OpKind::kAfter) note_order(self, op.order);
  arrive(self, op);
  if (op.kind == OpKind::kAtomicLoad) {
    count_load(self, op.object, op.pc);
  } else if (op.kind != OpKind::kAfter) {
    if (is_another_round(member_of(self), op.kind, op.pc)) count_round(self);
  }
  note_giving(self);
}

void install_sleeps(Real& table) {
  table.nanosleep = nano_sleep;
  table.clock_nanosleep = clock_nano_sleep;
  table.usleep = micro_sleep;
  table.sleep = second_sleep;
  table.sched_yield = yield;
}

}  // namespace snarl::runtime::parallel
