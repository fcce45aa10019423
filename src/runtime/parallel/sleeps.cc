// Sleeping and yielding: who does so lets others go on.
#include "runtime/parallel/desk.h"
#include "runtime/parallel/run.h"

namespace snarl::parallel {
namespace {

// A thread that yields so often in a row waits for another; so long it then gives way.
constexpr uint32_t kIdleYields = 16;
constexpr uint64_t kGiveWay = 50'000;

template <typename Call>
auto slept(Call&& call) {
  Thread* self = me();
  if (self == nullptr) return call();
  arrive(*self, OpKind::kSleep, nullptr, self->caller);
  const auto result = [&] {
    Outside outside(*self);
    return call();
  }();
  note(*self);
  return result;
}

int nano_sleep(const timespec* span, timespec* left) {
  return slept([=] { return libc().nanosleep(span, left); });
}
int clock_nano_sleep(clockid_t clock, int flags, const timespec* span, timespec* left) {
  return slept([=] { return libc().clock_nanosleep(clock, flags, span, left); });
}
int micro_sleep(useconds_t span) {
  return slept([=] { return libc().usleep(span); });
}
unsigned second_sleep(unsigned span) {
  return slept([=] { return libc().sleep(span); });
}

// High threads that spin would keep the low one waiting that they spin for; low ones those of a lower rank.
bool must_give_way(Thread& self, Desk& desk) {
  if (!desk.crew().others_enabled(self.id)) return false;
  const bool often = ++member_of(self).idle_yields % kIdleYields == 0;
  return member_of(self).low || desk.crew().high_enabled() == 1 || often;
}

void give_way(Thread& self) {
  {
    Desk desk(self);
    if (!must_give_way(self, desk)) return;
    desk.block(true);
  }
  const Deadline until = in_nanoseconds(kGiveWay);
  sleep(self, &until);
}

int yield() {
  Thread* self = me();
  if (self == nullptr) return libc().sched_yield();
  arrive(*self, OpKind::kYield, nullptr, self->caller);
  give_way(*self);
  note(*self);
  return libc().sched_yield();
}

}  // namespace

void install_sleeps(Real& table) {
  table.nanosleep = nano_sleep;
  table.clock_nanosleep = clock_nano_sleep;
  table.usleep = micro_sleep;
  table.sleep = second_sleep;
  table.sched_yield = yield;
}

}  // namespace snarl::parallel
