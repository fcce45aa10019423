#include "explore/execute/station.h"

#include <algorithm>

#include "base/check.h"

namespace snarl::explore {
namespace {

constexpr double kStrayInterval = 1;  // seconds

}  // namespace

Expected<Station> Station::create(const Setup& setup, os::Guard& guard, const os::Strays& strays, Mode mode, int cpu) {
  Expected<os::Bell> bell = os::Bell::create();
  if (!bell) return bell.error();
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, mode, cpu);
  if (!worker) return worker.error();
  return Station(std::move(*worker), std::move(*bell), guard, strays, cpu);
}

Status Station::renew(const Setup& setup, os::Guard& guard, Mode mode) {
  SNARL_CHECK(!busy());
  worker_.reset();
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, mode, cpu_);
  if (!worker) return worker.error();
  worker_ = std::move(*worker);
  return Done{};
}

void Station::order(RunOrder order) {
  SNARL_CHECK(!busy());
  order_ = std::move(order);
  ordered_ = true;
}

Expected<std::optional<record::RunRecord>> Station::work(int stop_fd, double until) {
  if (std::exchange(ordered_, false))
    if (Status begun = worker_->begin(order_); !begun) return begun.error();
  while (wait(stop_fd, until)) {
    Expected<std::optional<record::RunRecord>> done = worker_->advance();
    if (!done || done->has_value()) return done;
    if (os::now_seconds() >= until) break;
  }
  return std::optional<record::RunRecord>();
}

// False if there is something else to do than to look after the run.
bool Station::wait(int stop_fd, double until) {
  fds_.assign({{stop_fd, POLLIN, 0}, {bell_.fd(), POLLIN, 0}});  // poll ignores negative descriptors
  worker_->add_to(fds_);
  wait_for_events(fds_, worker_->busy() ? std::min(until, worker_->wake_at()) : until);
  told_to_stop_ = fds_[0].revents != 0;
  const bool rang = fds_[1].revents != 0;
  if (rang) bell_.hear();
  return !told_to_stop_ && !rang;
}

void Station::reap_strays() {
  if (os::now_seconds() - reaped_ < kStrayInterval || worker_->handing_over()) return;
  std::vector<pid_t> known{guard_->pid()};
  worker_->add_pids(known);
  strays_->reap(known);
  reaped_ = os::now_seconds();
}

void Station::close() {
  worker_.reset();
  strays_->reap({guard_->pid()});
}

}  // namespace snarl::explore
