#include "runtime/parallel/desk.h"

#include <errno.h>

#include <new>

#include "base/hash.h"
#include "runtime/ending.h"
#include "runtime/engine.h"
#include "runtime/gates.h"
#include "runtime/parallel/threads.h"
#include "runtime/raw.h"

namespace snarl::parallel {

using gates::kClosed;
using gates::kOpen;
using gates::open;

namespace {

constexpr uint32_t kFree = 0, kHeld = 1, kContended = 2;
constexpr size_t kLists = 1024;
constexpr Time kSecond = 1'000'000'000;

// A high timer fires when the machine likes, within this time.
constexpr uint64_t kLongestPatience = 100'000;

// A low thread that waits so long starves: high threads that never block may be spinning for it. Real
// work between two points rarely takes as long; each further time in a row comes sooner.
constexpr uint64_t kFirstSlice = 100'000'000, kLastSlice = 1'000'000;

alignas(64) uint32_t word = kFree;
alignas(64) uint32_t listed[kLists];  // how many are in the list
Member* lists[kLists];
alignas(Crew) char crew_memory[sizeof(Crew)];
int outside;           // threads that are blocked in the kernel
int timed;             // threads that are blocked until a deadline
Rng starving_rng;
uint64_t slice = kFirstSlice;
bool missed_post;

Crew& the_crew() { return *std::launder(reinterpret_cast<Crew*>(crew_memory)); }

size_t list_of(uint64_t object) { return mix64(object >> 2) % kLists; }

uint64_t key_of(const void* object) { return reinterpret_cast<uint64_t>(object); }

// At the end: those who came first are woken first.
void put_on_list(Member& member, uint64_t object, uint64_t then) {
  member.object = object;
  member.then = then;
  const size_t list = list_of(object);
  Member** at = &lists[list];
  member.previous_listed = member.next_listed = nullptr;
  while (*at != nullptr) {
    member.previous_listed = *at;
    at = &(*at)->next_listed;
  }
  *at = &member;
  __atomic_fetch_add(&listed[list], 1, __ATOMIC_SEQ_CST);
}

void take_off_list(Member& member) {
  if (member.object == 0) return;
  const size_t list = list_of(member.object);
  (member.previous_listed != nullptr ? member.previous_listed->next_listed : lists[list]) = member.next_listed;
  if (member.next_listed != nullptr) member.next_listed->previous_listed = member.previous_listed;
  member.object = 0;
  __atomic_fetch_sub(&listed[list], 1, __ATOMIC_SEQ_CST);
}

bool is_mutex_locked(uint64_t mutex) {
  return __atomic_load_n(&reinterpret_cast<pthread_mutex_t*>(mutex)->__data.__lock, __ATOMIC_SEQ_CST) != 0;
}

void lock_slowly() {
  while (__atomic_exchange_n(&word, kContended, __ATOMIC_ACQUIRE) != kFree) raw::futex_wait(&word, kContended);
}


Time machine_now() {
  timespec time = {};
  raw::call(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<Time>(time.tv_sec) * kSecond + static_cast<Time>(time.tv_nsec);
}

// False: the machine's time has come first.
bool wait_at_gate(Thread& self, Time until) {
  for (;;) {
    const uint32_t gate = __atomic_exchange_n(&self.gate, kClosed, __ATOMIC_ACQUIRE);
    if (gate == kOpen) return true;
    if (gate == gates::kWriteStack) gates::answer_with_stack(self);
    const timespec time{static_cast<time_t>(until / kSecond), static_cast<long>(until % kSecond)};
    const long slept = raw::call(SYS_futex, &self.gate, FUTEX_WAIT_BITSET_PRIVATE, kClosed,
                                 until == kNever ? nullptr : &time, 0, FUTEX_BITSET_MATCH_ANY);
    if (slept == -ETIMEDOUT) return false;
  }
}

// Someone whose turn does not come: one step of a low thread, out of turn.
void help_starving(Thread& self) {
  Desk desk(self);
  if (!desk.crew().is_enabled(self.id) || desk.crew().is_stepping(self.id)) return;
  const ThreadId chosen = desk.crew().admit_starving(starving_rng);
  if (chosen == kNoThread) return;
  ++engine::shared->state.irregular;
  slice = slice / 2 > kLastSlice ? slice / 2 : kLastSlice;
  open(thread_at(chosen));
}

// As wait_at_gate; a low thread looks up now and then whether it starves.
bool wait_patiently(Thread& self, Time until) {
  if (!member_of(self).low) return wait_at_gate(self, until);
  for (;;) {
    const Time look = machine_now() + slice;
    if (wait_at_gate(self, look < until ? look : until)) return true;
    if (until <= machine_now()) return false;
    help_starving(self);
  }
}

}  // namespace

bool anybody_listed(const void* object) {
  return __atomic_load_n(&listed[list_of(key_of(object))], __ATOMIC_SEQ_CST) != 0;
}

void begin_desk(const Plan& plan, Rng starving) {
  starving_rng = starving;
  (new (crew_memory) Crew)->begin(plan);
}

void note_missed_post() { __atomic_store_n(&missed_post, true, __ATOMIC_RELEASE); }

Desk::Desk(Thread& self) : self_(self) {
  ++self.inside;
  uint32_t expected = kFree;
  if (!__atomic_compare_exchange_n(&word, &expected, kHeld, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) lock_slowly();
}

Desk::~Desk() {
  if (__builtin_expect(__atomic_exchange_n(&missed_post, false, __ATOMIC_ACQ_REL), 0))
    for (Member*& list : lists)
      while (list != nullptr) enable(*list);
  --self_.inside;  // not ours any more once the lock is free, if the thread has ended
  if (__atomic_exchange_n(&word, kFree, __ATOMIC_RELEASE) == kContended) raw::futex_wake(&word);
}

Crew& Desk::crew() { return the_crew(); }
int live_count() { return the_crew().live_count(); }
bool is_enabled(ThreadId t) { return the_crew().is_enabled(t); }

void Desk::enlist(const void* object, const void* then) { put_on_list(member_of(self_), key_of(object), key_of(then)); }

void Desk::withdraw() { take_off_list(member_of(self_)); }

void Desk::block(Time until) {
  Member& member = member_of(self_);
  member.deadline = until;
  member.late = false;
  timed += until != kNever ? 1 : 0;
  crew().block(self_.id);
  end_if_stuck();
  admit();
}

void Desk::block_timed(Time until) {
  Member& member = member_of(self_);
  const bool early = until != kNever && is_virtual_time() && crew().draws_high_timer(self_.id);
  member.patience = early ? 1 + member.rng.below(kLongestPatience) : 0;
  block(until);
}

void Desk::block_outside() {
  member_of(self_).outside = true;
  ++outside;
  crew().block(self_.id);
  admit();
}

// Nobody can go on: time is what they wait for, or they wait for good.
void Desk::end_if_stuck() {
  if (crew().live_count() == 0 || crew().anybody_enabled() || outside != 0) return;
  if (timed == 0) end_run(self_, Turn::kDeadlock);
  if (is_virtual_time()) skip_time();
}

// The earliest deadline comes now.
void Desk::skip_time() {
  if (timed == 0 || outside != 0) return;
  Member* first = nullptr;
  for_each_thread([&](Member& member) {
    if (member.deadline != kNever && (first == nullptr || member.deadline < first->deadline)) first = &member;
  });
  skip_to(first->deadline);
  first->late = true;
  enable(*first);
  admit();
}

// Blocked no more.
static void forget_wait(Member& member) {
  take_off_list(member);
  outside -= member.outside ? 1 : 0;
  timed -= member.deadline != kNever ? 1 : 0;
  member.outside = false;
  member.deadline = kNever;
}

void Desk::enable(Member& member) {
  forget_wait(member);
  crew().enable(member.thread->id);
  if (!member.low) open(*member.thread);
}

bool Desk::unblock() {
  Member& member = member_of(self_);
  forget_wait(member);
  crew().enable(self_.id);
  if (!member.low) return true;
  const ThreadId admitted = crew().admit();
  if (admitted != kNoThread && admitted != self_.id) open(thread_at(admitted));
  return admitted == self_.id;
}

void Desk::admit() {
  const ThreadId admitted = crew().admit();
  if (admitted == kNoThread) return;
  slice = kFirstSlice;
  open(thread_at(admitted));
}

Member* Desk::first_listed(const void* object, bool low) {
  Member* at = lists[list_of(key_of(object))];
  while (at != nullptr && (at->object != key_of(object) || at->low != low)) at = at->next_listed;
  return at;
}

bool Desk::is_listed(const void* object, OpKind kind) {
  for (Member* at = lists[list_of(key_of(object))]; at != nullptr; at = at->next_listed)
    if (at->object == key_of(object) && at->entry->pending.kind == kind) return true;
  return false;
}

void Desk::wake_one(const void* object) {
  if (Member* high = first_listed(object, false)) return enable(*high);
  while (Member* low = first_listed(object, true)) enable(*low);
  admit();
}

void Desk::wake_all(const void* object) {
  while (Member* high = first_listed(object, false)) enable(*high);
  while (Member* low = first_listed(object, true)) enable(*low);
  admit();
}

// A signalled thread is enabled if its mutex is free; if not, it is listed for the mutex instead.
void Desk::hand_on(Member& member) {
  const uint64_t mutex = member.then;
  take_off_list(member);
  member.then = 0;
  if (mutex != 0) {
    put_on_list(member, mutex, 0);
    if (is_mutex_locked(mutex)) return;  // who unlocks it finds the thread listed
  }
  enable(member);
}

int Desk::signal(const void* object, uint64_t count) {
  int woken = 0;
  while (count-- > 0) {
    Member* member = first_listed(object, false);
    if (member == nullptr) member = first_listed(object, true);
    if (member == nullptr) break;
    hand_on(*member);
    ++woken;
  }
  admit();
  return woken;
}

// From outside.
static void come_back(Thread& self) {
  bool may_go = false;
  {
    Desk desk(self);
    may_go = desk.unblock();
  }
  if (!may_go) wait_patiently(self, kNever);
}

// By the machine's clock. Virtual time is skipped to, by others, unless the timer is a high one.
static Time end_of_patience(Member& member) {
  if (!is_virtual_time()) return member.deadline;
  const uint64_t patience = member.patience;
  member.patience = 0;
  return patience != 0 ? machine_now() + patience : kNever;
}

bool sleep(Thread& self) {
  Member& member = member_of(self);
  const Time deadline = member.deadline;
  if (wait_patiently(self, end_of_patience(member))) return !member.late;
  bool was_woken = false, may_go = false;
  {
    Desk desk(self);
    was_woken = desk.crew().is_enabled(self.id);
    may_go = !was_woken && desk.unblock();
    if (!was_woken) engine::shared->state.timeouts += 1;
  }
  if (!was_woken && is_virtual_time()) skip_to(deadline);
  if (!may_go) wait_patiently(self, kNever);  // the waker opens the gate, or the one who admits us
  return was_woken && !member.late;
}

void sleep_until(Thread& self, Time until) {
  Desk(self).block(until);
  sleep(self);
}

void give_way_for(Thread& self, uint64_t nanoseconds) {
  Desk(self).block_outside();
  const timespec span{0, static_cast<long>(nanoseconds)};
  raw::call(SYS_nanosleep, &span, nullptr);
  come_back(self);
}

void rest(Thread& self) {
  {
    Desk desk(self);
    Member& member = member_of(self);
    if (member.lowers) desk.crew().lower(self.id, member.lower_to);
    member.lowers = false;
    member.low = !desk.crew().is_high(self.id);
    if (!member.low) return;
    desk.crew().rest(self.id);
    const ThreadId admitted = desk.crew().admit();
    if (admitted == self.id) return;
    if (admitted != kNoThread) open(thread_at(admitted));
  }
  wait_patiently(self, kNever);
}

void await_admission(Thread& self) { wait_patiently(self, kNever); }

Outside::Outside(Thread& self) : self_(self) { Desk(self).block_outside(); }

Outside::~Outside() { come_back(self_); }

}  // namespace snarl::parallel
