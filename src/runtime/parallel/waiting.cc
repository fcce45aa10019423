#include "runtime/parallel/waiting.h"

#include <algorithm>

#include "runtime/gate/gates.h"
#include "runtime/parallel/last_resort.h"
#include "runtime/parallel/pace.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::parallel {
namespace {

constexpr Time kSecond = 1'000'000'000, kFirstLook = 5'000'000;
constexpr Time kLookAtOthers = 10'000'000;  // a look costs a few microseconds of whoever waits

// False: the machine's time has come first.
bool wait_at_gate(Thread& self, Time until) {
  for (;;) {
    const uint32_t gate = __atomic_exchange_n(&self.gate, gates::kClosed, __ATOMIC_ACQUIRE);
    if (gate == gates::kOpen) return true;
    if (gate == gates::kAsked) gates::answer(self);
    const timespec time{static_cast<time_t>(until / kSecond), static_cast<long>(until % kSecond)};
    const long slept = raw::call(SYS_futex, &self.gate, FUTEX_WAIT_BITSET_PRIVATE, gates::kClosed,
                                 until == kNever ? nullptr : &time, 0, FUTEX_BITSET_MATCH_ANY);
    if (slept == -ETIMEDOUT) return false;
  }
}

// As wait_at_gate; now and then a sleeper looks up: can those go on that it waits for, if it is low or pauses, do
// threads that are at work share a core, is it time for a deadline? Each time later, because a look costs a wake.
bool wait_patiently(Thread& self, Time until, Time first_look = kNever) {
  const bool low = member_of(self).low || is_pausing(self.id);
  Time now = machine_now(), since = now, due = first_look;
  for (Time look = kFirstLook;; look *= 2) {
    const Time looks = low ? since + kLookAtOthers : kNever;
    if (wait_at_gate(self, std::min({now + look, due, looks, until}))) return true;
    now = machine_now();
    if (until <= now) return false;
    Desk desk(self);
    desk.look_around();
    due = desk.pass_time();
    if (looks > now) continue;
    look_at_those_before(desk, self);
    since = now;
  }
}

// By the machine's clock. Virtual time is skipped to, by others, unless the timer is a high one.
Time end_of_patience(Member& member) {
  if (!is_virtual_time()) return member.deadline;
  const uint64_t patience = member.patience;
  member.patience = 0;
  return patience != 0 ? machine_now() + patience : kNever;
}

void note_timeout(Desk& desk, Time deadline) {
  engine::shared->state.timeouts += 1;
  if (is_virtual_time() && deadline > now() && desk.crew().anybody_enabled())
    engine::shared->state.chosen_deadlines += 1;
}

}  // namespace

// Blocked by the desk: so it is still inside.
bool sleep(Thread& self) {
  Member& member = member_of(self);
  const Time deadline = member.deadline;
  if (wait_patiently(self, end_of_patience(member), member.first_look)) {
    --self.inside;
    return !member.late;
  }
  bool was_woken = false, may_go = false;
  {
    Desk desk(self);
    was_woken = desk.crew().is_enabled(self.id);
    if (!was_woken) note_timeout(desk, deadline);
    may_go = !was_woken && desk.unblock();
  }
  if (!was_woken && is_virtual_time()) skip_to(deadline);
  if (!may_go) wait_patiently(self, kNever);  // the waker opens the gate, or the one who admits us
  --self.inside;
  return was_woken && !member.late;
}

void wait_for_gate(Thread& self) {
  wait_patiently(self, kNever);
  --self.inside;
}

void sleep_until(Thread& self, Time until) {
  bool blocks = false;
  {
    Desk desk(self);
    blocks = !is_asked_to_end(self);
    member_of(self).ends_wait = blocks;
    if (blocks) desk.block(until);
  }
  if (blocks) sleep(self);
  end_if_asked(self);
}

void give_way_for(Thread& self, uint64_t nanoseconds) {
  go_outside(self);
  const timespec span{0, static_cast<long>(nanoseconds)};
  raw::call(SYS_nanosleep, &span, nullptr);
  come_back(self);
}

void rest(Thread& self, bool fair) {
  Member& member = member_of(self);
  bool admitted = false, undisturbed = false;
  {
    Desk desk(self);
    if (member.away) desk.come_back();
    if (member.lowers) desk.crew().lower(self.id, member.lower_to);
    member.lowers = false;
    member.low = !desk.crew().is_high(self.id);
    desk.rest();
    if (fair) desk.help_starving();
    admitted = !member.low || desk.admit_me();
    undisturbed = member.low && admitted && desk.is_undisturbed();
    if (!admitted) desk.has_to_wait();
  }
  member.undisturbed = undisturbed;
  if (!admitted) wait_for_gate(self);
}

void await_admission(Thread& self) { wait_for_gate(self); }

// What it calls there is not a point: a signal handler's calls, or libgcc's when it unwinds a cancelled thread.
void go_outside(Thread& self) { Desk(self).block_outside(); }

void come_back(Thread& self) {
  bool may_go = false;
  {
    Desk desk(self);
    may_go = desk.unblock();
  }
  if (!may_go) wait_patiently(self, kNever);
  --self.inside;
}

Outside::Outside(Thread& self) : self_(self) { go_outside(self); }

Outside::~Outside() { come_back(self_); }

}  // namespace snarl::runtime::parallel
