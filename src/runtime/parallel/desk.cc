#include "runtime/parallel/desk.h"

#include <algorithm>
#include <new>

#include "base/check.h"
#include "base/large.h"
#include "base/state_marks.h"
#include "conduct/spread.h"
#include "runtime/gate/gates.h"
#include "runtime/parallel/cores.h"
#include "runtime/parallel/lists.h"
#include "runtime/parallel/pace.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/threads.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/state.h"

namespace snarl::runtime::parallel {

namespace {

constexpr uint32_t kFree = 0, kHeld = 1, kContended = 2;

// A high timer fires when the machine likes, within this time.
constexpr uint64_t kLongestPatience = 100'000;

alignas(64) SNARL_RUN_STATE uint32_t word = kFree;
alignas(conduct::Crew) SNARL_LARGE char crew_memory[sizeof(conduct::Crew)];
SNARL_RUN_STATE int outside;      // threads that are blocked in the kernel
SNARL_RUN_STATE int timed;        // threads that are blocked until a deadline
SNARL_RUN_STATE Time idle_since;  // by the machine's clock: nobody can go on, but somebody is outside; 0: not so
SNARL_RUN_STATE Rng starving_rng;
SNARL_RUN_STATE bool missed_post;
SNARL_RUN_STATE conduct::Spread spread;

conduct::Crew& the_crew() { return *std::launder(reinterpret_cast<conduct::Crew*>(crew_memory)); }

bool is_mutex_locked(uint64_t mutex) {
  return __atomic_load_n(&reinterpret_cast<pthread_mutex_t*>(mutex)->__data.__lock, __ATOMIC_SEQ_CST) != 0;
}

void lock_slowly() {
  while (__atomic_exchange_n(&word, kContended, __ATOMIC_ACQUIRE) != kFree) raw::futex_wait(&word, kContended);
}

// Threads that only hand on to each other share a core; where nobody is left to notice that they are at work
// side by side, they don't.
void choose_cores() {
  const int running = the_crew().running();
  const bool changed = spread.changed(running, machine_now());
  if (spread.gathered() && running == the_crew().live_count() && running > 1 && spread.scatter()) return scatter();
  if (!changed) return;
  if (!spread.gathered()) return scatter();
  if (!gather()) spread.scatter();
}

}  // namespace

void begin_desk(const policy::Plan& plan, Rng starving) {
  starving_rng = starving;
  (new (crew_memory) conduct::Crew)->begin(plan);
}

void note_missed_post() { __atomic_store_n(&missed_post, true, __ATOMIC_RELEASE); }

Desk::Desk(Thread& self) : self_(self) {
  ++self.inside;
  uint32_t expected = kFree;
  if (!__atomic_compare_exchange_n(&word, &expected, kHeld, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) lock_slowly();
}

Desk::~Desk() {
  if (__builtin_expect(__atomic_exchange_n(&missed_post, false, __ATOMIC_ACQ_REL), 0))
    while (Member* listed = anyone_listed()) enable(*listed);
  if (spread.wants_to_know(crew().running())) choose_cores();
  Member* next = first_;
  if (member_of(self_).low) look_at_next(member_of(self_));  // somebody may be enabled now
  --self_.inside;  // not ours any more once the lock is free, if the thread has ended
  if (__atomic_exchange_n(&word, kFree, __ATOMIC_RELEASE) == kContended) raw::futex_wake(&word);
  while (next != nullptr) {
    Thread& thread = *next->thread;
    next = next->next_opened;  // not there any more once its gate is open
    gates::open(thread);
  }
}

// A thread that is woken on this core may run at once, and would only find the desk locked.
void Desk::open(Thread& thread) {
  spread.woke();
  Member& member = member_of(thread);
  member.next_opened = nullptr;
  (last_ != nullptr ? last_->next_opened : first_) = &member;
  last_ = &member;
}

conduct::Crew& Desk::crew() { return the_crew(); }
int live_count() { return the_crew().live_count(); }
bool is_enabled(ThreadId t) { return the_crew().is_enabled(t); }

void Desk::enlist(const void* object, const void* then, uint32_t bits) {
  put_on_list(member_of(self_), key_of(object), key_of(then), bits);
}

void Desk::withdraw() { take_off_list(member_of(self_)); }

void Desk::block(Time until) {
  Member& member = member_of(self_);
  member.deadline = until;
  member.late = false;
  timed += until != kNever ? 1 : 0;
  has_to_wait();
  crew().block(self_.id);
  pace_blocked(*this, self_.id);
  end_if_stuck();
  admit();
  member.first_look = pass_time();
}

// As Model::is_far: what is further ahead comes when nobody else can go on.
static bool may_be_early(Time until) {
  constexpr Time kFar = 1'000'000'000;
  const bool far = until > now() && until - now() > kFar;
  return is_virtual_time() && (!far || clock::sleeps() == model::Sleeps::kFree);
}

void Desk::block_timed(Time until) {
  Member& member = member_of(self_);
  const bool may = until != kNever && may_be_early(until);
  engine::shared->state.deadlines += may ? 1 : 0;  // the bound has to know
  const bool early = may && crew().draws_high_timer(self_.id);
  member.patience = early ? 1 + member.rng.below(kLongestPatience) : 0;
  block(until);
}

void Desk::block_outside() {
  member_of(self_).outside = true;
  ++outside;
  has_to_wait();
  crew().block(self_.id);
  pace_blocked(*this, self_.id);
  admit();
  pass_time();
}

// Nobody can go on: time is what they wait for, or they wait for good.
void Desk::end_if_stuck() {
  if (crew().live_count() == 0 || crew().anybody_enabled() || outside != 0) return;
  if (timed == 0) end(self_, OutcomeKind::kDeadlock);
  if (is_virtual_time()) skip_time();
}

static Member& first_due() {
  Member* first = nullptr;
  for_each_thread([&](Member& member) {
    if (member.deadline != kNever && (first == nullptr || member.deadline < first->deadline)) first = &member;
  });
  return *first;
}

// When the earliest deadline comes, by the machine's clock. What somebody waits for outside may come first: until it
// does, time runs no faster than the machine's.
static Time machine_time_of(Time deadline) {
  if (outside == 0) return 0;
  if (idle_since == 0) idle_since = machine_now();
  return idle_since + (deadline > now() ? deadline - now() : 0);
}

static void end_idleness() {
  const Time passed = machine_now() - idle_since, first = timed == 0 ? kNever : first_due().deadline;
  idle_since = 0;
  skip_to(std::min(now() + passed, first));
}

void Desk::skip_time() {
  if (timed == 0) return;
  Member& first = first_due();
  if (machine_time_of(first.deadline) > machine_now()) return;
  skip_to(first.deadline);
  first.late = true;
  enable(first);
  admit();
}

Time Desk::pass_time() {
  if (timed == 0 || outside == 0 || crew().anybody_enabled() || !is_virtual_time()) return kNever;
  skip_time();
  return crew().anybody_enabled() ? kNever : machine_time_of(first_due().deadline);
}

// Blocked no more.
static void forget_wait(Member& member) {
  take_off_list(member);
  outside -= member.outside ? 1 : 0;
  timed -= member.deadline != kNever ? 1 : 0;
  member.outside = false;
  member.ends_wait = false;
  member.deadline = kNever;
}

void Desk::set_enabled(Member& member) {
  if (idle_since != 0) end_idleness();
  forget_wait(member);
  crew().enable(member.thread->id);
  pace_unblocked(member);
  member.low_steps = crew().low_steps();
}

// A low thread that starved may step while high ones are enabled; such a step is not counted.
void Desk::check_order() {
  const Member& member = member_of(self_);
  SNARL_CHECK(crew().is_enabled(self_.id));
  if (crew().is_away(self_.id)) return;
  SNARL_CHECK(!member.undisturbed || crew().high_enabled() == 0);
  if (member.low)
    SNARL_CHECK(crew().is_stepping(self_.id));
  else
    SNARL_CHECK(member.low_steps == crew().low_steps());
}

void Desk::enable(Member& member) {
  set_enabled(member);
  if (!member.low) open(*member.thread);
}

bool Desk::unblock() {
  Member& member = member_of(self_);
  set_enabled(member);
  return !member.low || admit_me();
}

bool Desk::admit_me() {
  const ThreadId admitted = crew().admit();
  if (admitted != kNoThread && admitted != self_.id) open(thread_at(admitted));
  return admitted == self_.id;
}

void Desk::admit() {
  const ThreadId admitted = crew().admit();
  if (admitted == kNoThread) return;
  open(thread_at(admitted));
}

void Desk::help_starving() {
  const ThreadId chosen = crew().admit_starving(starving_rng, self_.id);
  if (chosen == kNoThread) return;
  ++engine::shared->state.overrides;
  open(thread_at(chosen));
}

// It sleeps in the kernel: its own count of points is not changed by both at the same time.
void Desk::leave_alone(Member& member) {
  crew().leave_alone(member.thread->id);
  pace_blocked(*this, member.thread->id);
  look_at_next(member);
  __atomic_store_n(&member.away, true, __ATOMIC_RELAXED);
  admit();
}

void Desk::come_back() {
  Member& member = member_of(self_);
  member.away = false;
  crew().rest(self_.id);
  pace_unblocked(member);
  member.low_steps = crew().low_steps();
}

// The others who are enabled are low and wait; the kernel or time could enable one of the rest.
bool Desk::is_undisturbed() {
  return crew().is_stepping(self_.id) && crew().running() == 1 && outside == 0 && timed == 0;
}

void Desk::look_around() {
  if (spread.looked(machine_now())) scatter();
}

void Desk::use_all_cores() {
  if (spread.scatter()) scatter();
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

void Desk::ask_to_end(Member& member) {
  __atomic_store_n(&member.asked_to_end, true, __ATOMIC_RELEASE);
  if (crew().is_enabled(member.thread->id) || !member.ends_wait || member.thread->cancel_off) return;
  enable(member);
  admit();
}

// A signalled thread is enabled if its mutex is free; if not, it is listed for the mutex instead.
void Desk::hand_on(Member& member) {
  const uint64_t mutex = member.then;
  take_off_list(member);
  member.then = 0;
  member.ends_wait = false;  // it has its signal, which nobody else gets
  if (mutex != 0) {
    put_on_list(member, mutex, 0);
    if (is_mutex_locked(mutex)) return;  // who unlocks it finds the thread listed
  }
  enable(member);
}

// A high one before the low ones.
static Member* next_listed(const void* object, uint32_t bits = kAllFutexBits) {
  Member* high = first_listed(object, false, bits);
  return high != nullptr ? high : first_listed(object, true, bits);
}

int Desk::signal(const void* object, uint64_t count, uint32_t bits) {
  int woken = 0;
  for (Member* member; count-- > 0 && (member = next_listed(object, bits)) != nullptr; ++woken) hand_on(*member);
  admit();
  return woken;
}

// To the same futex there is nothing to be done, and no end to it.
int Desk::requeue(const void* object, const void* to, uint64_t count) {
  int moved = 0;
  for (Member* member; object != to && count-- > 0 && (member = next_listed(object)) != nullptr; ++moved) {
    const uint32_t bits = member->bits;
    take_off_list(*member);
    put_on_list(*member, key_of(to), 0, bits);
  }
  return moved;
}

}  // namespace snarl::runtime::parallel
