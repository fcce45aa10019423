// Which schedules a script has, by the step rules alone: an interpreter that shares nothing with the model, the
// conductor and the policies, so that it can be a witness against them.
//
// Threads are numbered as their scripts are. A mover is a thread that may take the next step, or the timer of one: its
// ordinal, with kTimerBit for a timer, as in schedules.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/ids.h"
#include "tests/virtual/script.h"

namespace snarl {

class Reference {
 public:
  enum class End : uint8_t { kNot, kOk, kDeadlock };

  // A step that was taken, counted or not. A timer's has kind kTimeout; time that passes by itself is no step.
  struct Did {
    size_t thread;
    OpKind kind;
    int object, second;  // as in its line
    int result;
    bool was_owner;  // of the object, before: its mutex or, for writing, its read-write lock
  };

  explicit Reference(const Script& script);

  // Who may take the next step that counts, by ordinal, timers last; empty at the end.
  const std::vector<uint32_t>& movers() const { return movers_; }
  void take(uint32_t mover);
  End end() const { return end_; }
  // The results of all lines, in the order in which they were over.
  const std::vector<int>& notes() const { return notes_; }
  // All steps, in order.
  const std::vector<Did>& did() const { return did_; }

 private:
  static constexpr size_t kThreads = 4, kObjects = 14, kFlags = 4, kLines = 24;
  enum class At : uint8_t { kNowhere, kStart, kOperation, kSecondHalf, kAfter, kExit, kEnded };

  struct Actor {
    At at = At::kNowhere;
    size_t line = 0;
    int round = 0;
    uint32_t ordinal = 0;
    uint64_t deadline = 0;
    bool late = false;    // its timer has fired
    bool is_far = false;  // its deadline lay far ahead when the wait began
    bool has_signal = false;
    bool is_asked_to_end = false;
    bool is_joined = false;
    int result = 0;             // of the operation before the point after it
    int16_t barrier_round = 0;  // that it waits in
    std::array<int16_t, kLines> results;
  };
  using Threads = uint8_t;  // a set of them
  struct Object {
    int8_t owner = kNobody;  // mutex, once control; read-write lock: the writer
    int8_t depth = 0, readers = 0, units = 0, arrived = 0, tokens = 0;
    int16_t round = 0;  // of a barrier
    Threads waiters = 0;
    std::array<Threads, kThreads>
        takers{};  // of each token, oldest first: those who waited when it was left, and still do
  };
  static constexpr int kNobody = -1, kNotYet = -1;

  const Line& line_of(size_t t) const { return script_->threads[t][actors_[t].line]; }
  bool is_live(size_t t) const { return actors_[t].at != At::kNowhere && actors_[t].at != At::kEnded; }
  Object& object(int number);
  const Object& object(int number) const { return const_cast<Reference*>(this)->object(number); }
  void begin_wait(Actor& actor);
  bool is_timed(size_t t) const;
  bool is_enabled(size_t t) const;
  bool operation_returns(size_t t) const;
  bool second_half_returns(size_t t) const;
  bool mutex_returns(int mutex, size_t t) const;
  bool may_wake(int number, size_t t) const;
  bool takes_signal(size_t t) const;
  uint64_t earliest() const;
  bool may_fire(size_t t, uint64_t earliest) const;
  void fire(size_t t);
  void step(size_t t);
  void note_step(size_t t, OpKind kind) { did_.push_back({t, kind, Line::kNothing, Line::kNothing, 0, false}); }
  void operation(size_t t);
  int perform(size_t t);
  int lock(size_t t, int mutex, bool tries);
  int unlock(size_t t, int mutex);
  int read_write(size_t t, const Line& line);
  int wait_at_barrier(size_t t, const Line& line);
  int on_thread(const Line& line);
  int wake(int number, int most);
  int second_half(size_t t);
  void take_token(int number, size_t t);
  void leave_queue(int number, size_t t);
  void is_over(size_t t, int result);
  void end_line(Actor& actor, const Line& line);
  void arrive(size_t t);
  bool go_alone(size_t t);
  bool let_time_pass();
  void list_movers();
  void settle();

  const Script* script_;
  std::array<Actor, kThreads> actors_;
  std::array<Object, kObjects> objects_;
  std::array<bool, kFlags> flags_{};
  uint64_t now_ = 0;
  uint32_t created_ = 1;
  std::vector<uint32_t> movers_;
  std::vector<int> notes_;
  std::vector<Did> did_;
  End end_ = End::kNot;
};

// The next random script from that seed on, without a loop or with one of `rounds`, that has more than one schedule and
// at most `most`.
Script fitting_script(uint64_t& seed, int rounds, long most);

// Calls f(schedule, state at its end) for every schedule, at most `most` of them; how many there are, or most + 1.
long for_every_reference_schedule(const Script& script, long most,
                                  const std::function<void(const std::vector<uint32_t>&, const Reference&)>& f);

}  // namespace snarl
