#include "explore/execute/station.h"

#include <algorithm>

#include "base/check.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kStrayInterval = 1;  // seconds

}  // namespace

Expected<Station> Station::create(const Setup& setup, Executors& executors, const os::Strays* strays, int cpu) {
  Expected<os::Bell> bell = os::Bell::create();
  if (!bell) return bell.error();
  Expected<std::unique_ptr<Executor>> executor = executors.make(setup, mode_of(setup), cpu);
  if (!executor) return executor.error();
  return Station(std::move(*executor), std::move(*bell), executors, strays, cpu);
}

Status Station::renew(const Setup& setup) {
  SNARL_CHECK(!busy());
  executor_.reset();
  Expected<std::unique_ptr<Executor>> executor = executors_->make(setup, mode_of(setup), cpu_);
  if (!executor) return executor.error();
  executor_ = std::move(*executor);
  return Done{};
}

void Station::order(std::vector<RunOrder> orders) {
  SNARL_CHECK(!busy() && !orders.empty());
  orders_ = std::move(orders);
  ordered_ = true;
}

Expected<std::optional<Came>> Station::work(int stop_fd, double until) {
  if (std::exchange(ordered_, false))
    if (Status begun = executor_->begin_all(orders_); !begun) return begun.error();
  while (wait(stop_fd, until)) {
    Expected<std::optional<Came>> done = executor_->advance();
    if (!done || done->has_value()) return done;
    if (os::now_seconds() >= until) break;
  }
  return std::optional<Came>();
}

void Station::abandon() {
  ordered_ = false;
  executor_->abandon();
}

// False if there is something else to do than to look after the run.
bool Station::wait(int stop_fd, double until) {
  fds_.assign({{stop_fd, POLLIN, 0}, {bell_.fd(), POLLIN, 0}});  // poll ignores negative descriptors
  executor_->add_to(fds_);
  wait_for_events(fds_, executor_->busy() ? std::min(until, executor_->wake_at()) : until);
  told_to_stop_ = fds_[0].revents != 0;
  const bool rang = fds_[1].revents != 0;
  if (rang) bell_.hear();
  return !told_to_stop_ && !rang;
}

void Station::reap_strays() {
  if (strays_ == nullptr || os::now_seconds() - reaped_ < kStrayInterval) return;
  if (const std::optional<std::vector<pid_t>> known = executor_->children()) reap(*known);
}

void Station::reap(std::vector<pid_t> known) {
  if (strays_ == nullptr) return;
  known.push_back(executors_->guard()->pid());
  strays_->reap(known);
  reaped_ = os::now_seconds();
}

void Station::close() {
  executor_.reset();
  reap({});
}

}  // namespace snarl::explore
