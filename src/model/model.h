// Which threads are enabled, and what each waits for: the state of every thread and of every synchronisation object,
// changed only by the operations that threads perform.
//
// Pure: no OS call, no allocation. One instance per tested process; calls are never concurrent. A thread publishes its
// pending operation (publish). When the operation is enabled and chosen, it is performed (perform), once.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "model/destroyed.h"
#include "model/objects.h"
#include "model/wait_queue.h"
#include "schedule/misuse.h"
#include "schedule/operation.h"
#include "schedule/slot.h"

namespace snarl::model {

// What a once operation tells its caller.
constexpr int kOnceRun = -1;  // call the routine, then finish_once()

// What a barrier tells the thread that completes a round (PTHREAD_BARRIER_SERIAL_THREAD).
constexpr int kBarrierSerial = -1;

// How a pending operation ends other than by what it waits for.
enum class Ending : uint8_t { kNone, kTimedOut, kCancelled, kWoken };
// The step was a signal's: the handler is to run, and then the operation is published again.
constexpr int kInterrupted = -2;

// Do plain sleeps and far deadlines end only when no thread can run, or whenever the policy likes? kAllLast: all
// deadlines come last.
enum class Sleeps : uint8_t { kLast, kFree, kAllLast };

class Model {
 public:
  void begin(Sleeps sleeps = Sleeps::kLast);  // one thread, main, live and running

  // A new thread, whose `start` is pending. kNoThread if there are too many.
  ThreadId spawn(ThreadId parent, bool detached, uint64_t create_pc);

  // Takes back the youngest thread, which could not be created.
  void unspawn(ThreadId parent, ThreadId child);

  // Publishes what `t` is about to do. False if the model is full (too many objects in use).
  [[gnu::always_inline]] bool publish(ThreadId t, const Op& op) {
    copy_words(slots_[t].pending, op);
    if (!has_no_effect(op.kind) || __builtin_expect(op.timed, 0) ||
        __builtin_expect((op.traits & kCancellable) != 0, 0))
      return publish_effect(t, op);
    threads_[t].ends = Ending::kNone;
    enabled_.add(t);
    return true;
  }
  // Performs the pending, enabled operation of `t`; the errno-style result for its caller, or kOnceRun.
  int perform(ThreadId t) {
    const bool is_plain =
        __builtin_expect(!threads_[t].interrupted, 1) && __builtin_expect(threads_[t].ends == Ending::kNone, 1);
    if (!has_no_effect(slots_[t].pending.kind) || !is_plain) return perform_effect(t);
    misuse_.kind = MisuseKind::kNone;
    return 0;
  }

  // As publish() and perform() in one, with result 0, for an operation without effect, a mutex that is free or is given
  // back, a thread's end, and a join with an ended thread. False: it must be done in two calls, and so must all that
  // may_be_at_once() does not name. `t` runs and has no signal to handle.
  bool perform_at_once(ThreadId t, const Op& op);
  // The same for a lock or unlock of a plain normal mutex, inlined (model/at_once.h).
  bool ordinary_at_once(OpKind what, ThreadId t, uint64_t mutex, uint64_t pc);
  // The same for a quiet operation, which can always be performed.
  void note_quiet(ThreadId t, const Op& op) { note_performed(t, op); }
  static constexpr bool may_be_at_once(OpKind kind) {
    constexpr OpKinds kThose = kQuietKinds | OpKinds{OpKind::kLock, OpKind::kUnlock, OpKind::kTryLock,   OpKind::kExit,
                                                     OpKind::kJoin, OpKind::kCreate, OpKind::kEndProcess};
    return kThose.has(kind);
  }

  // No thread is enabled, or all that are only yield: lets the earliest deadline come. False if there is none.
  bool advance_time();
  // The clock, in nanoseconds. Reading it lets a microsecond pass, so that a loop that polls it ends.
  uint64_t read_clock();
  uint64_t now() const { return now_; }
  // Would a deadline that is set now be far: does it come only when no thread can run?
  bool is_far(uint64_t deadline) const;
  // The deadline that `t` publishes next was far when it was first set.
  void note_was_far(ThreadId t) { threads_[t].was_far = true; }
  // Is the next deadline that would come far, and not a sleep's?
  bool next_is_far() const;
  uint64_t clock_reads() const { return clock_reads_; }

  // A deadline that no thread waits for. `patient`: it comes as a sleep's does, when no thread can run. `pc`: where it
  // is set.
  void set_alarm(int alarm, uint64_t deadline, bool patient, uint64_t pc = 0);
  void clear_alarm(int alarm);
  bool is_set(int alarm) const { return alarms_.has(alarm_slot(alarm)); }
  bool has_alarms() const { return !alarms_.empty(); }
  // An alarm that has come since the last call; -1: none.
  int take_fired();

  // The time until the deadline of a timer that is set.
  uint64_t time_to(ThreadId timer) const;
  // The time until the earliest deadline, or ~0 if there is none.
  uint64_t time_to_deadline() const;
  // What the pending kIo of `t` waits for has come, or has not (`Op::value` says which when it is published).
  void set_ready(ThreadId t, bool ready);

  // The value was as expected: `t` now waits on the futex. It publishes kFutexWoken next.
  bool enqueue(ThreadId t, uint64_t object);
  // Wakes up to `most` threads that wait on the futex for one of the bits; returns how many it woke.
  int wake_futex(uint64_t object, uint32_t most, uint32_t bits);
  // Wakes some of them, and makes others wait on `second`; returns the number of both.
  int requeue(uint64_t object, uint64_t second, uint32_t wakes, uint32_t moves);
  // The program's own semaphore has this value.
  void set_semaphore(uint64_t object, uint64_t value);

  // `t` is about to access memory that holds this value.
  void see(ThreadId t, uint64_t value) { slots_[t].pending.seen = value; }

  // A signal waits for `t`: its next step is to run the handler, whatever operation it has arrived at.
  void interrupt(ThreadId t);
  bool has_signal(ThreadId t) const { return threads_[t].interrupted; }
  // Whether `t` runs a handler, or is about to: its operations there are not those of the interrupted code.
  bool is_handling(ThreadId t) const { return threads_[t].interrupted || threads_[t].handlers != 0; }
  // The state of the interrupted operation of `t`, kept while the handler, which begins now, performs others.
  struct Interruption {
    Op op;
    uint64_t waits_since = 0;
    uint64_t round = 0;
  };
  Interruption interruption(ThreadId t) {
    ++threads_[t].handlers;
    return {slots_[t].pending, threads_[t].waits_since, threads_[t].round};
  }
  // The handler is over: the operation is published again (resume) or given up.
  void resume(ThreadId t, const Interruption& interruption);
  void give_up(ThreadId t, const Interruption& interruption);

  // The once routine that `t` ran has returned (or was left by an exception).
  void finish_once(ThreadId t, uint64_t object);
  // The program's own object says otherwise: forget the state of this mutex, or note that `owner` holds it (it was
  // locked before we had control).
  void forget_mutex(uint64_t object);
  void adopt_mutex(uint64_t object, ThreadId owner);

  // From now on, looks for misuse. misuse() says which rule the last perform() broke, if any. The caller, who can look
  // at the program's own object, has the last word.
  void watch_misuse(bool watch) { watches_ = watch; }
  bool watches_misuse() const { return watches_; }
  const Misuse& misuse() const { return misuse_; }
  // forget_destroyed: the object is not, or no longer, the one that was destroyed.
  const Destroyed* destroyed(uint64_t object) const { return destroyed_.find(object); }
  void forget_destroyed(uint64_t object) { destroyed_.remove(object); }
  // The thread has freed the memory that the object lies in: the object has no holders and no waiters any more.
  void note_freed(uint32_t ordinal, uint64_t object, uint64_t pc);
  void forget_rwlock(uint64_t object);
  bool is_rwlock_free(uint64_t object);

  const ThreadSet& live() const { return live_; }
  const ThreadSet& enabled() const { return enabled_; }  // timers included
  int live_count() const { return live_count_; }
  uint32_t created() const { return created_; }
  // The most threads that lived or waited to be joined at one moment: a new thread takes the first slot that is free.
  uint32_t most_at_once() const { return used_; }
  // Only main lives, and no thread waits to be joined.
  bool is_alone() const { return occupied_.size() == 1 && occupied_.has(kMainThread); }

  // Threads that became enabled since the last call of forget_gained().
  const ThreadSet& gained() const { return gained_; }
  void forget_gained() { gained_.clear(); }

  const Op& pending(ThreadId t) const { return slots_[t].pending; }
  ThreadId owner(uint64_t mutex) {
    const Object* object = objects_.find(mutex);
    return object == nullptr ? kNoThread : object->mutex.owner;
  }
  bool is_detached(ThreadId t) const { return threads_[t].detached; }
  bool is_asked_to_end(ThreadId t) const { return threads_[t].cancelled; }
  bool has_ended(ThreadId t) const { return threads_[t].ended; }
  uint64_t create_pc(ThreadId t) const { return threads_[t].create_pc; }
  uint32_t creator(ThreadId t) const { return threads_[t].creator; }
  const ObjectTable& objects() const { return objects_; }

  uint64_t name(ThreadId t) const { return slots_[t].name; }
  uint32_t ordinal(ThreadId t) const { return slots_[t].ordinal; }
  const Slot* slots() const { return slots_.data(); }
  // The steps that it has taken, counted by the caller.
  uint64_t& taken(ThreadId t) { return slots_[t].taken; }

 private:
  struct Thread {
    bool detached = false;
    bool ended = false;           // took its exit step, not yet joined
    ThreadId joiner = kNoThread;  // the thread whose pending operation joins this one
    uint32_t children = 0;
    uint32_t creator = 0;  // ordinal
    uint64_t create_pc = 0;
    uint32_t detached_by = kNobody;  // ordinal; kNobody if it was created detached
    uint64_t detach_pc = 0;
    uint32_t joined_by = kNobody;  // ordinal, once it was joined
    uint64_t join_pc = 0;
    uint64_t waits_since = 0;     // of the pending wait in a queue, in clock_ time
    uint64_t round = 0;           // of the barrier that it waits at
    bool cancelled = false;       // a thread asked it to end
    Ending ends = Ending::kNone;  // of its pending operation, which no longer waits in a queue
    bool interrupted = false;     // a signal waits for it
    bool was_far = false;         // the deadline that it sets next
    uint32_t handlers = 0;        // that it is in, including those that it left by a jump
  };

  [[gnu::noinline]] bool publish_effect(ThreadId t, const Op& op);
  int perform_effect(ThreadId t);
  void note_performed(ThreadId t, const Op& op) {
    misuse_.kind = MisuseKind::kNone;
    copy_words(slots_[t].pending, op);
    threads_[t].ends = Ending::kNone;
  }
  bool can_run(ThreadId t);
  bool join_returns(ThreadId t) const;
  int join_result(ThreadId t) const;
  bool link(ThreadId t, uint64_t address);
  bool link_mutex(uint64_t address);
  void admit(ThreadId t, Object& object);
  OpKind waits_as(ThreadId t) const;
  [[gnu::noinline]] void set_apart(ThreadId t);
  void unlink(ThreadId t, uint64_t address);
  void unlink_mutex(ThreadId t, uint64_t address);
  void refresh(const Object& object);
  void set_enabled(ThreadId t, bool enabled);
  void set_all_enabled(const ThreadSet& threads, bool enabled);

  // model_threads.cc
  int perform_join(ThreadId t);
  [[gnu::noinline]] int perform_detach(ThreadId t);
  int perform_exit(ThreadId t);
  bool end_at_once(ThreadId t, const Op& op);
  [[gnu::noinline]] int perform_cancel(ThreadId by, ThreadId target);
  bool is_cancelled(ThreadId t) const;
  [[gnu::noinline]] void end_early(ThreadId t, Ending ending);
  void orphan_mutexes(ThreadId t);
  [[gnu::noinline]] void orphan(Object& object);

  // model_locks.cc
  int perform_mutex(ThreadId t, const Op& op);
  [[gnu::noinline]] int perform_rwlock(ThreadId t, const Op& op);
  bool writer_waits(const Object& object, ThreadId but) const;
  bool read_lock_returns(ThreadId t, const Op& op);
  void note_owner(Object& object);
  [[gnu::noinline]] int perform_consistent(const Op& op);
  bool mutex_at_once(OpKind what, MutexKind kind, ThreadId t, uint64_t address, uint64_t pc, uint8_t traits);
  [[gnu::noinline]] bool lock_at_once(ThreadId t, const Op& op);

  // model_waits.cc
  [[gnu::noinline]] int perform_wait(ThreadId t, const Op& op);
  [[gnu::noinline]] int perform_reacquire(ThreadId t, const Op& op);
  [[gnu::noinline]] bool reacquire_returns(ThreadId t);
  [[gnu::noinline]] int perform_wake(const Op& op);
  int leave_tokens(Object& object, uint64_t most);
  [[gnu::noinline]] int perform_semaphore(const Op& op);
  [[gnu::noinline]] int perform_barrier(ThreadId t, const Op& op);
  [[gnu::noinline]] int perform_woken(ThreadId t, const Op& op);
  [[gnu::noinline]] int perform_once(ThreadId t, const Op& op);

  // model_futex.cc
  int wake(Object& object, uint32_t most, uint32_t bits);
  ThreadId newest_waiter(const Object& object) const;
  ThreadId oldest_waiter(const Object& object, uint32_t bits) const;
  bool has_bits(const Object& object) const;
  bool waits_on(ThreadId t) const;
  void move(ThreadId t, Object& from, Object& to);
  // model_signals.cc
  bool is_interrupted(ThreadId t) const;
  [[gnu::noinline]] int perform_interrupted(ThreadId t);

  // model_time.cc
  [[gnu::noinline]] int perform_timeout(ThreadId timer);
  [[gnu::noinline]] int perform_early(ThreadId t);
  [[gnu::noinline]] void set_timer(ThreadId t);
  [[gnu::noinline]] void clear_timer(ThreadId t);
  [[gnu::noinline]] void refresh_timers();
  bool may_fire(ThreadId t) const;
  bool is_choice(ThreadId timer) const;
  ThreadId next_to_come() const;
  void leave_queue(ThreadId t);
  bool alarm_may_fire(ThreadId slot) const;
  [[gnu::noinline]] int perform_alarm(ThreadId slot);
  uint64_t deadline_of(ThreadId slot) const { return slots_[slot].pending.deadline; }

  // model_misuse.cc
  bool is_beyond_doubt(ThreadId t, const Op& op);
  [[gnu::noinline]] void look_for_misuse(ThreadId t, const Op& op);
  void found(MisuseKind kind, OpKind other_op, uint32_t other, uint64_t other_pc);
  bool look_at_freed(const Op& op);
  bool look_at_destroyed(const Op& op);
  void look_at_unlock(ThreadId t, const Op& op);
  void look_at_rw_unlock(ThreadId t, const Op& op);
  void look_at_wait(ThreadId t, const Op& op);
  void look_for_two_mutexes(ThreadId t, const Op& op);
  void look_at_destroy(const Op& op);
  void look_for_waiters(const Object& object, OpKind destroy);
  void look_at_join(ThreadId t);
  [[gnu::noinline]] void note_destroyed(ThreadId t, const Op& op);

  ThreadSet live_;      // not ended
  ThreadSet occupied_;  // live, or ended and not yet joined
  ThreadSet enabled_;
  ThreadSet gained_;
  int live_count_ = 0;
  ThreadId used_ = 1;  // slots [0, used_) have been used
  uint32_t created_ = 0;
  uint64_t clock_ = 0;  // numbers waits and signals
  uint64_t now_ = 0;
  uint64_t clock_reads_ = 0;
  Sleeps sleeps_ = Sleeps::kLast;
  ThreadSet timed_;    // threads whose pending operation has a deadline that has not come
  ThreadSet alarms_;   // slots of those that are set
  ThreadSet patient_;  // timers of those threads and alarms that come last
  ThreadSet fired_;
  uint64_t earliest_ = ~uint64_t{0};  // of the alarms' deadlines and those of the `timed_` that are not enabled
  bool watches_ = false;
  Misuse misuse_;
  TokenPool tokens_{token_room_};
  DestroyedTable destroyed_{destroyed_room_};

  // Most runs use only the beginnings of these tables. A slot's content counts only if the slot is occupied.
  Storage<Slot, kMaxSlots> slots_;
  Storage<Thread, kMaxThreads> threads_;
  ObjectTable objects_;
  TokenPool::Room token_room_;
  DestroyedTable::Room destroyed_room_;
};

}  // namespace snarl::model
