// Where threads of a parallel run go when they can't go on at once: who is enabled, who is
// listed for which object, and whose gate is opened.
//
// One short lock for all of it: only contended operations, low threads and those who find
// somebody listed come here.
#pragma once

#include "conduct/crew.h"
#include "runtime/parallel/member.h"
#include "runtime/platform/futex_call.h"

namespace snarl::runtime::parallel {

// The lock, held by the thread that makes this. While it is held, the thread's calls are not points.
class Desk {
 public:
  explicit Desk(Thread& self);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  conduct::Crew& crew();

  // Lists the calling thread for `object`; with `then`, for a condition variable whose waiters need that mutex next.
  void enlist(const void* object, const void* then = nullptr, uint32_t bits = kAllFutexBits);
  void withdraw();

  // The calling thread has no right to go on when it leaves the desk. A signal handler may interrupt it before it
  // sleeps, or in its sleep: until the wait is over, which lowers `inside` again, calls of the thread are not points.
  void has_to_wait() { ++self_.inside; }

  // The calling thread can't go on, before that time, and has to wait. Ends the run if now nobody ever can.
  void block(Time until = kNever);
  // The same in a timed wait, whose deadline may come before time skips to it.
  void block_timed(Time until);
  void block_outside();
  // The calling thread can go on again. True if it may at once; otherwise it has to sleep at its gate.
  bool unblock();

  // One thread that is listed for `object` may try again: a high one, or all low ones if there is no high one.
  void wake_one(const void* object);
  void wake_all(const void* object);
  // At most `count` of those listed for the condition variable or futex, high ones first; they need `then` next.
  int signal(const void* object, uint64_t count, uint32_t bits = kAllFutexBits);
  // At most `count` of those listed for one futex are from now on listed for the other.
  int requeue(const void* object, const void* to, uint64_t count);

  // By pthread_cancel: it may go on if it waits at a cancellation point.
  void ask_to_end(Member& member);

  // That thread waits at its gate, and may go on.
  void let_go(ThreadId t) { open(thread_at(t)); }

  // Lets the low thread go that may, if any.
  void admit();

  // The step of the calling thread is over.
  void rest() { crew().rest(self_.id); }
  // True if the calling low thread may take a step at once.
  bool admit_me();
  // After rest() said so: until it comes to the desk again, nobody else can become enabled.
  bool is_undisturbed();

  // A low thread, chosen uniformly, has one step out of turn (PLDI'12, section 3.1.3: by chance, never by time).
  void help_starving();

  // That thread may never come to a point: it counts for nothing until it does, and others go on.
  void leave_alone(Member& member);
  void come_back();

  // The calling thread arrives at a point: asserts that it was entitled to the step that is over.
  void check_order();

  // Sleepers come by now and then: are the threads on one core though they could run side by side?
  void look_around();
  void use_all_cores();

  // Ends the run if nobody can ever go on.
  void end_if_stuck();

  // Lets the earliest deadline come; if somebody waits for something outside, once the machine's clock has come so far.
  void skip_time();
  // The same if nobody can go on. When to look again, by that clock; kNever: there is nothing to wait for so.
  Time pass_time();

 private:
  // Its gate, when the desk is free again.
  void open(Thread& thread);
  void enable(Member& member);
  void set_enabled(Member& member);
  void hand_on(Member& member);

  Thread& self_;
  Member *first_ = nullptr, *last_ = nullptr;  // whose gates are to be opened
};

// A semaphore was posted by a signal handler that interrupted us here: look at all lists again.
void note_missed_post();

// Without the lock: right for the calling thread itself, and for a last look.
int live_count();
bool is_enabled(ThreadId t);

void begin_desk(const policy::Plan& plan, Rng starving);

}  // namespace snarl::runtime::parallel
