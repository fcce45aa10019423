// Virtual programs: threads as coroutines, scheduled by the real conductor, model and
// policies, without an OS thread. Thousands of schedules run in milliseconds, which is
// what tests of policies and of their probabilities need.
//
//   Task worker(World& w) {
//     co_await w.lock(0);
//     ++w.value[0];
//     co_await w.unlock(0);
//   }
//   Task program(World& w) {
//     ThreadId t = co_await w.create(worker);
//     co_await w.join(t);
//     w.expect(w.value[0] == 1, "counted");
//   }
//   VirtualResult r = run_virtual(program, run);
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conduct/conductor.h"
#include "policy/catalog.h"
#include "schedule/decision.h"
#include "schedule/outcome.h"
#include "schedule/run.h"

namespace snarl::virtual_world {

class World;

class Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  Task() = default;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }
  bool done() const { return handle_.done(); }
  void resume() { handle_.resume(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

using VirtualProgram = std::function<Task(World&)>;

struct VirtualResult {
  OutcomeKind outcome = OutcomeKind::kNone;
  std::string message;
  Step steps = 0;
  uint32_t created = 0;
  uint64_t switches = 0;
  uint64_t hash = 0;
  uint64_t order = 0;             // of the partial order, if the run's settings want it
  uint64_t timeouts = 0;          // timers that the policy let fire
  uint64_t chosen_deadlines = 0;  // of them, those for which time passed while a thread could run
  uint64_t time = 0;              // virtual nanoseconds at the end
  std::vector<Decision> decisions;
  std::vector<int> trace;    // what the program appended by note()
  Decision expected, got;    // kDivergence
  uint64_t overrides = 0;    // by fairness
  uint64_t passed_over = 0;  // times that a thread had to make way
  uint64_t quiet = 0;        // steps that nobody was asked for (UsesAllowance)
  uint64_t gone_on = 0;      // steps taken in one call (UsesAllowance)
};

// What a profiling run is watched by.
struct Watched {
  conduct::Counter* counter = nullptr;
  conduct::PairList pairs = {};
};

// What profiling runs of a virtual program show, in the order that policies expect.
struct VirtualCounts {
  std::vector<ThreadCount> threads;
  std::vector<ObjectCount> objects;
  std::vector<SitePair> pairs;
  // Tells a run of it, which must not outlive this.
  void tell(Run& run) const {
    run.counts = {threads, objects};
    run.pairs = pairs;
  }
};

class World {
 public:
  // Suspends the calling thread at a point; resumes with the operation's result.
  struct Point {
    World& world;
    Op op;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<>) { world.pending_ = op; }
    int await_resume() const { return world.result_; }
  };

  Point lock(int m, MutexKind kind = MutexKind::kNormal) { return on(OpKind::kLock, m, kind); }
  Point trylock(int m, MutexKind kind = MutexKind::kNormal) { return on(OpKind::kTryLock, m, kind); }
  Point unlock(int m, MutexKind kind = MutexKind::kNormal) { return on(OpKind::kUnlock, m, kind); }
  Point wait(int c, int m, MutexKind kind = MutexKind::kNormal) {
    Point point = on(OpKind::kWait, c, kind);
    point.op.second = address(m);
    return point;
  }
  // Timed forms, by a span of virtual nanoseconds from now; ETIMEDOUT when that is over.
  Point lock_for(int m, uint64_t span) { return timed(on(OpKind::kLock, m), span); }
  Point sleep(uint64_t span) { return timed(on(OpKind::kSleep, 0), span); }
  Point wait_for(int c, int m, uint64_t span) {
    Point point = timed(wait(c, m), span);
    point.op.timed = false;  // its second half is
    point.op.value = kTimedWait;
    return point;
  }
  uint64_t clock();

  // Any operation, to be filled in by the caller.
  Point at(OpKind kind, int object = 0, MutexKind mutex = MutexKind::kNormal) { return on(kind, object, mutex); }
  Point in_time(Point point, uint64_t span) { return timed(point, span); }
  static uint64_t object_of(int object) { return address(object); }
  model::Model& model() { return conductor_.model(); }
  ThreadId self() const { return running_; }

  // Semaphores begin with no unit; the program's own object, which knows how many there are, is here.
  Point semaphore(OpKind kind, int s) {
    Point point = on(kind, s);
    point.op.value = units_.at(static_cast<size_t>(s));
    return point;
  }

  Point read_lock(int l) { return on(OpKind::kReadLock, l); }
  Point write_lock(int l) { return on(OpKind::kWriteLock, l); }
  Point rw_unlock(int l) { return on(OpKind::kRwUnlock, l); }
  Point signal(int c) { return on(OpKind::kSignal, c); }
  Point broadcast(int c) { return on(OpKind::kBroadcast, c); }
  Point yield() { return on(OpKind::kYield, 0); }
  Point event(int id = 0) { return on(OpKind::kAfter, id); }  // a point that does nothing
  // g++ 12 copies temporaries of a co_await bit by bit: a body that captures more than numbers needs a name.
  Point create(VirtualProgram body) {
    next_body_ = std::move(body);
    return on(OpKind::kCreate, 0);
  }
  Point join(int thread);
  Point detach(int thread);

  void note(int id) { notes_.push_back(id); }
  void fail(const char* why) {
    if (failure_.empty()) failure_ = why;
  }
  void expect(bool holds, const char* what) {
    if (!holds) fail(what);
  }

  std::array<int, 64> value{};  // the program's shared variables

 private:
  friend VirtualResult run_virtual(const VirtualProgram&, policy::Policy&, const Run&, Step, model::Sleeps,
                                   const Watched&);
  friend class UsesAllowance;

  static constexpr uint64_t kTimedWait = 1;  // `value` of a condition wait that has a deadline

  static uint64_t address(int object) { return static_cast<uint64_t>(object) + 1000; }
  Point on(OpKind kind, int object, MutexKind mutex = MutexKind::kNormal) {
    return {*this,
            Op{.kind = kind, .mutex = mutex, .object = address(object), .pc = static_cast<uint64_t>(object) + 1}};
  }
  Point timed(Point point, uint64_t span) {
    point.op.timed = true;
    point.op.deadline = conductor_.model().now() + span;
    return point;
  }
  VirtualResult run(const VirtualProgram& program, policy::Policy& policy, const Run& run, Step budget,
                    model::Sleeps sleeps, const Watched& watched);
  void reset();
  OutcomeKind conduct(ThreadId t);
  conduct::Choice advance(ThreadId t);
  conduct::Choice arrive(ThreadId t, Op op);
  Op following(ThreadId t, const Op& op, int result);
  int follow_model(const Op& op, int result);
  Op resume(ThreadId t);
  void grant(ThreadId t);
  void settle();
  int start(ThreadId parent, uint64_t pc);

  conduct::Conductor conductor_;
  std::vector<char> memory_ = std::vector<char>(1 << 19);  // the policy's arena
  std::vector<Decision> room_ = std::vector<Decision>(1 << 14);
  // By slot.
  std::array<VirtualProgram, kMaxThreads> to_create_;  // what the pending create is to start
  std::array<VirtualProgram, kMaxThreads> bodies_;     // holds what the thread's lambda has captured
  std::array<Task, kMaxThreads> tasks_;
  std::array<int, kMaxThreads> results_{};  // of its last operation, over the point after it
  uint32_t slots_used_ = 1;
  Op pending_;
  int result_ = 0;
  bool uses_allowance_ = false;
  Step granted_ = 0, allowance_ = 0;  // to `running_`, and what is left of it
  ThreadId running_ = kNoThread;
  uint64_t quiet_ = 0, gone_on_ = 0;  // of the result
  std::array<uint64_t, 64> units_{};  // of semaphores
  VirtualProgram next_body_;
  std::string failure_;
  std::vector<int> notes_;
};

// Runs `program` as main under the policy of `run` (or under `policy`), to its end. The
// outcome is kAssert if it called fail(). budget 0: none.
VirtualResult run_virtual(const VirtualProgram& program, const Run& run, Step budget = 1'000'000,
                          model::Sleeps sleeps = model::Sleeps::kLast);
VirtualResult run_virtual(const VirtualProgram& program, policy::Policy& policy, const Run& run = {},
                          Step budget = 1'000'000, model::Sleeps sleeps = model::Sleeps::kLast,
                          const Watched& watched = {});

// While it lives, the virtual programs of the calling thread take quiet steps without asking, as far as they may, and
// others in one call (Conductor::step_at_once).
class UsesAllowance {
 public:
  UsesAllowance();
  ~UsesAllowance();
  UsesAllowance(const UsesAllowance&) = delete;
  UsesAllowance& operator=(const UsesAllowance&) = delete;
};

// The most that so many random runs count.
VirtualCounts profile_virtual(const VirtualProgram& program, int runs = 3);

// The ordinals of who takes each of the first `steps` steps.
std::vector<uint32_t> takers(const VirtualResult& result, Step steps);

// A run of the policy with that name and first parameter, for n threads and k steps.
Run virtual_run(const char* policy, double parameter, uint64_t seed, uint64_t index, uint32_t n, Step k);

// A run of the policy as its row says that tests and benches take it. It is its turn number `index`, and the groups
// that it knows are those of the first variables.
Run trial_run(const policy::PolicyInfo& info, uint64_t seed, uint64_t index, uint32_t n, Step k);

}  // namespace snarl::virtual_world
