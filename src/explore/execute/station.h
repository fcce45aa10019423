// One of the stations in which an exploration makes its runs: an executor, the core that it is pinned to, and a bell.
//
// Driven by one thread, without the explorer's lock: nothing here belongs to another thread. Only ring() is for all.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/execute/executor.h"
#include "os/bell.h"
#include "os/strays.h"

namespace snarl::explore {

class Station {
 public:
  // `setup`, `executors` and `strays` must outlive it. Starts no process: those will belong to the thread that drives
  // it. Without `strays`, none come to us.
  static Expected<Station> create(const Setup& setup, Executors& executors, const os::Strays* strays, int cpu);

  int cpu() const { return cpu_; }
  Executor& executor() { return *executor_; }
  bool busy() const { return ordered_ || executor_->busy(); }
  // What is under way, or just over: several only if the executor has room for them.
  const std::vector<RunOrder>& all_ordered() const { return orders_; }
  const RunOrder& ordered() const { return orders_.front(); }

  // From now on runs are made with what `setup` says now. Must not be busy; by the thread that drives it.
  Status renew(const Setup& setup);

  // work() will begin them. Must not be busy.
  void order(std::vector<RunOrder> orders);

  // Waits for the end of the order, until it is `until`, the bell rings, or `stop_fd` becomes readable (-1: none). An
  // error means that no further run can be made here.
  Expected<std::optional<Came>> work(int stop_fd, double until);
  bool told_to_stop() const { return told_to_stop_; }

  // Gives up what is under way, without a record.
  void abandon();

  void ring() { bell_.ring(); }

  // Now and then: ends processes that were left behind and that came to this thread.
  void reap_strays();

  // Ends what is under way. By the thread that drove it, as its processes die with that thread (PDEATHSIG).
  void close();

 private:
  Station(std::unique_ptr<Executor> executor, os::Bell bell, Executors& executors, const os::Strays* strays, int cpu)
      : executor_(std::move(executor)), bell_(std::move(bell)), executors_(&executors), strays_(strays), cpu_(cpu) {}

  bool wait(int stop_fd, double until);
  void reap(std::vector<pid_t> known);

  std::unique_ptr<Executor> executor_;
  os::Bell bell_;
  Executors* executors_;
  const os::Strays* strays_;
  int cpu_;
  std::vector<RunOrder> orders_;
  bool ordered_ = false;
  std::vector<pollfd> fds_;
  bool told_to_stop_ = false;
  double reaped_ = 0;
};

}  // namespace snarl::explore
