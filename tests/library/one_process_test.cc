// Runs that share a process, with only the variables of the run (src/base/state_marks.h) put back between them, are the
// same as runs that have a process each: up to a thousand schedules of each body, compared one by one.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <snarl/snarl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "bodies.h"

// src/runtime/reset/observed_runs.h
extern "C" {
struct SnarlObservedRun {
  uint64_t index, steps, decision_hash;
  uint32_t threads, outcome;
};
void snarl_observe_runs(int puts_back, void (*after)(const SnarlObservedRun*));
}

namespace {

constexpr uint64_t kSchedules = 1000;

// What the children saw, in memory that they share with the test.
struct Observed {
  uint64_t runs;  // observed in all, repeated ones included
  pid_t process[kSchedules];
  SnarlObservedRun run[kSchedules];
};

Observed* observed() {
  static auto* memory = static_cast<Observed*>(
      mmap(nullptr, sizeof(Observed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return memory;
}

void note(const SnarlObservedRun* run) {
  ++observed()->runs;
  if (run->index >= kSchedules || observed()->process[run->index] != 0) return;  // repeated, or checked again
  observed()->process[run->index] = getpid();
  observed()->run[run->index] = *run;
}

Observed explore(bool shares_process, bool gates, void (*body)(), snarl::Result& result) {
  *observed() = {};
  snarl_observe_runs(shares_process, note);
  snarl::Options options;
  options.schedules = kSchedules;
  options.time = std::chrono::seconds(300);
  options.seed = 17;
  options.fork = !shares_process;
  options.gates = gates;
  result = snarl::explore(options, [body] { body(); });
  snarl_observe_runs(0, nullptr);
  return *observed();
}

size_t processes_of(const Observed& seen) {
  size_t count = 0;
  for (uint64_t i = 0; i < kSchedules; ++i)
    if (seen.process[i] != 0 && (i == 0 || seen.process[i] != seen.process[i - 1])) ++count;
  return count;
}

void expect_same(const Observed& shared, const Observed& fresh) {
  for (uint64_t i = 0; i < kSchedules; ++i) {
    const SnarlObservedRun &a = shared.run[i], &b = fresh.run[i];
    const bool same = a.steps == b.steps && a.decision_hash == b.decision_hash && a.threads == b.threads &&
                      a.outcome == b.outcome && (shared.process[i] == 0) == (fresh.process[i] == 0);
    ASSERT_TRUE(same) << "schedule " << i << ": " << a.steps << " steps, hash " << a.decision_hash
                      << " in a shared process, " << b.steps << " steps, hash " << b.decision_hash << " in a fresh one";
  }
}

// A body that passes: all of its schedules share one process, and are as in a process of their own.
void compare(void (*body)(), bool gates = false) {
  snarl::Result shared_result, fresh_result;
  const Observed shared = explore(true, gates, body, shared_result);
  const Observed fresh = explore(false, gates, body, fresh_result);
  ASSERT_TRUE(shared_result.passed) << shared_result.report;
  ASSERT_TRUE(fresh_result.passed) << fresh_result.report;
  EXPECT_EQ(shared_result.reset, "none") << shared_result.reset_why;
  EXPECT_EQ(fresh_result.reset, "fork");
  EXPECT_EQ(shared_result.schedules, fresh_result.schedules);
  EXPECT_GE(shared.runs, shared_result.schedules);
  EXPECT_LE(processes_of(shared), 60u);  // one for each epoch, with its profiling runs; some are made again
  EXPECT_EQ(processes_of(fresh), fresh_result.schedules);
  EXPECT_EQ(shared_result.steps, fresh_result.steps);
  EXPECT_EQ(shared_result.distinct, fresh_result.distinct);
  expect_same(shared, fresh);
}

// One that fails: both fail at the same schedule, in the same way, and all before it are the same.
void compare_failing(void (*body)()) {
  snarl::Result shared_result, fresh_result;
  const Observed shared = explore(true, false, body, shared_result);
  const Observed fresh = explore(false, false, body, fresh_result);
  ASSERT_FALSE(shared_result.passed);
  ASSERT_FALSE(fresh_result.passed);
  EXPECT_EQ(shared_result.kind, fresh_result.kind);
  EXPECT_EQ(shared_result.summary, fresh_result.summary);
  EXPECT_EQ(shared_result.replay, fresh_result.replay);
  expect_same(shared, fresh);
}

template <typename... F>
void in_threads(F&&... functions) {
  std::vector<std::thread> threads;
  (threads.emplace_back(functions), ...);
  for (std::thread& thread : threads) thread.join();
}

void adds_under_a_lock() { add_twice(); }

void waits_for_a_condition() {
  std::mutex mutex;
  std::condition_variable filled;
  int items = 0;
  auto take = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    filled.wait(lock, [&] { return items > 0; });
    --items;
  };
  auto put = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    items += 2;
    filled.notify_all();
  };
  in_threads(take, take, put);
}

void times_out() {
  std::mutex mutex;
  std::condition_variable never;
  auto wait = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    never.wait_for(lock, std::chrono::milliseconds(10));
  };
  in_threads(wait, wait, [&] { never.notify_one(); });
}

void sleeps() {
  std::atomic<int> order{0};
  auto nap = [&](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    order = milliseconds;
  };
  in_threads([&] { nap(2); }, [&] { nap(1); }, [&] { std::this_thread::yield(); });
}

void passes_semaphores() {
  sem_t full, empty;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  in_threads(
      [&] {
        for (int i = 0; i < 3; ++i) sem_wait(&empty), sem_post(&full);
      },
      [&] {
        for (int i = 0; i < 3; ++i) sem_wait(&full), sem_post(&empty);
      });
  sem_destroy(&full);
  sem_destroy(&empty);
}

void reads_and_writes() {
  std::shared_mutex mutex;
  int value = 0, seen = 0;
  auto read = [&] {
    const std::shared_lock<std::shared_mutex> lock(mutex);
    seen = value;
  };
  auto write = [&] {
    const std::lock_guard<std::shared_mutex> lock(mutex);
    ++value;
  };
  in_threads(read, write, read, write);
}

void meets_at_a_barrier() {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 3);
  auto arrive = [&] {
    for (int i = 0; i < 2; ++i) pthread_barrier_wait(&barrier);
  };
  in_threads(arrive, arrive, arrive);
  pthread_barrier_destroy(&barrier);
}

void is_called_once() {
  std::once_flag flag;
  int calls = 0;
  auto call = [&] { std::call_once(flag, [&] { ++calls; }); };
  in_threads(call, call, call);
  if (calls != 1) snarl::fail("not once");
}

void spins() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  int total = 0;
  auto add = [&] {
    pthread_spin_lock(&lock);
    ++total;
    pthread_spin_unlock(&lock);
  };
  in_threads(add, add);
  pthread_spin_destroy(&lock);
}

struct Counted {
  int* counter;
  ~Counted() {
    if (counter != nullptr) ++*counter;
  }
};
thread_local Counted counted{nullptr};

void destroys_thread_locals() {
  std::mutex mutex;
  int destroyed = 0;
  auto use = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    counted.counter = &destroyed;
  };
  in_threads(use, use);
  if (destroyed != 2) snarl::fail("thread_local destructors did not run");
}

pthread_key_t key() {
  static pthread_key_t made = [] {
    pthread_key_t key;
    pthread_key_create(&key, [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); });
    return key;
  }();
  return made;
}

void destroys_key_values() {
  std::atomic<int> destroyed{0};
  auto use = [&] { pthread_setspecific(key(), &destroyed); };
  in_threads(use, use, use);
  if (destroyed != 3) snarl::fail("destructors of keys did not run");
}

std::atomic<int> handled;
void on_usr1(int) { ++handled; }

void handles_signals() {
  std::mutex mutex;
  std::condition_variable sent;
  bool has_sent = false;
  handled = 0;
  std::thread target([&] {
    std::unique_lock<std::mutex> lock(mutex);
    sent.wait(lock, [&] { return has_sent; });
  });
  pthread_kill(target.native_handle(), SIGUSR1);
  std::this_thread::yield();
  pthread_kill(target.native_handle(), SIGUSR1);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    has_sent = true;
  }
  sent.notify_one();
  target.join();
  if (handled == 0) snarl::fail("no handler ran");
}

void blocks_signals() {
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, &before);
  std::thread waiter([&] {
    int signal = 0;
    sigwait(&usr1, &signal);
  });
  std::thread other([&] { std::this_thread::yield(); });
  pthread_kill(waiter.native_handle(), SIGUSR1);
  waiter.join();
  other.join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void cancels() {
  sem_t never;
  sem_init(&never, 0, 0);
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* semaphore) -> void* {
        sem_wait(static_cast<sem_t*>(semaphore));
        return nullptr;
      },
      &never);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  sem_destroy(&never);
}

void reads_a_pipe() {
  int ends[2];
  if (pipe(ends) != 0) return;
  char got = 0;
  in_threads([&] { EXPECT_EQ(write(ends[1], "x", 1), 1); }, [&] { EXPECT_EQ(read(ends[0], &got, 1), 1); });
  close(ends[0]);
  close(ends[1]);
}

void waits_for_an_event() {
  const int event = eventfd(0, 0);
  uint64_t value = 1;
  in_threads([&] { EXPECT_EQ(write(event, &value, sizeof value), 8); },
             [&] {
               uint64_t got = 0;
               EXPECT_EQ(read(event, &got, sizeof got), 8);
             });
  close(event);
}

// What is drawn decides how many steps there are.
void draws_numbers() {
  std::atomic<int> total{0};
  auto draw = [&] {
    unsigned char byte = 0;
    EXPECT_EQ(getrandom(&byte, 1, 0), 1);
    for (int i = 0; i < byte % 4; ++i) ++total, std::this_thread::yield();
  };
  in_threads(draw, draw);
}

void nests_threads() {
  std::atomic<int> total{0};
  auto inner = [&] { ++total; };
  auto outer = [&] { in_threads(inner, inner); };
  in_threads(outer, outer);
}

void uses_futures() {
  std::future<int> first = std::async(std::launch::async, [] { return 1; });
  std::promise<int> promise;
  std::thread setter([&] { promise.set_value(first.get()); });
  if (promise.get_future().get() != 1) snarl::fail("another value");
  setter.join();
}

void tries_locks() {
  std::timed_mutex mutex;
  std::recursive_mutex again;
  auto attempt = [&] {
    const std::lock_guard<std::recursive_mutex> outer(again), inner(again);
    if (mutex.try_lock_for(std::chrono::milliseconds(5))) mutex.unlock();
  };
  in_threads(attempt, attempt, [&] {
    if (mutex.try_lock()) mutex.unlock();
  });
}

void detaches() {
  static std::atomic<int> ended;
  ended = 0;
  for (int i = 0; i < 2; ++i) std::thread([] { ++ended; }).detach();
  while (ended != 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

void has_many_threads() {
  std::mutex mutex;
  int total = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i)
    threads.emplace_back([&] {
      const std::lock_guard<std::mutex> lock(mutex);
      ++total;
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(OneProcess, Locks) { compare(adds_under_a_lock); }
TEST(OneProcess, Conditions) { compare(waits_for_a_condition); }
TEST(OneProcess, TimeOuts) { compare(times_out); }
TEST(OneProcess, Sleeps) { compare(sleeps); }
TEST(OneProcess, Semaphores) { compare(passes_semaphores); }
TEST(OneProcess, ReadersAndWriters) { compare(reads_and_writes); }
TEST(OneProcess, Barriers) { compare(meets_at_a_barrier); }
TEST(OneProcess, Once) { compare(is_called_once); }
TEST(OneProcess, SpinLocks) { compare(spins); }
TEST(OneProcess, ThreadLocals) { compare(destroys_thread_locals); }
TEST(OneProcess, Keys) { compare(destroys_key_values); }
TEST(OneProcess, Signals) {
  signal(SIGUSR1, on_usr1);
  compare(handles_signals);
}
TEST(OneProcess, BlockedSignals) { compare(blocks_signals); }
TEST(OneProcess, Cancellation) { compare(cancels); }
TEST(OneProcess, Pipes) { compare(reads_a_pipe); }
TEST(OneProcess, Events) { compare(waits_for_an_event); }
TEST(OneProcess, RandomNumbers) { compare(draws_numbers); }
TEST(OneProcess, NestedThreads) { compare(nests_threads); }
TEST(OneProcess, Futures) { compare(uses_futures); }
TEST(OneProcess, TriedLocks) { compare(tries_locks); }
TEST(OneProcess, DetachedThreads) { compare(detaches); }
TEST(OneProcess, ManyThreads) { compare(has_many_threads); }
TEST(OneProcess, GatesLocks) { compare(adds_under_a_lock, true); }
TEST(OneProcess, GatesConditions) { compare(waits_for_a_condition, true); }
TEST(OneProcess, Deadlock) { compare_failing(deadlock); }
TEST(OneProcess, FailedCheck) {
  compare_failing([] {
    if (withdraw_twice() < 0) snarl::fail("overdrawn");
  });
}

}  // namespace
