// The executor of library mode: runs a body in children of the test's process, one run by itself or a range.
#pragma once

#include <optional>
#include <string>

#include "explore/execute/executor.h"
#include "library/body_server.h"
#include "library/child.h"
#include "library/settings.h"

namespace snarl::library {

// Makes the executors for a body, and holds what they share: there is one memory, and what one of them finds out about
// the body holds for all. For one thread.
class BodyExecutors final : public explore::Executors {
 public:
  // `settings` must outlive it.
  BodyExecutors(const Settings& settings, SharedMemory memory, const runtime::Body& body);

  Expected<std::unique_ptr<explore::Executor>> make(const explore::Setup& setup, explore::Mode mode, int cpu) override;
  os::Guard* guard() override { return nullptr; }  // children die with us

  bool on_fibers() const { return fibers_; }
  bool stays() const { return stays_; }
  const std::string& reset_why() const { return why_; }
  // A run by itself has a process of its own: as all have from now on.
  void fork_from_now_on(const std::string& why);

 private:
  friend class BodyExecutor;

  const Settings& settings_;
  SharedMemory memory_;
  runtime::Body body_;
  BodyServer server_;
  bool fibers_;  // until something is found that they can't do
  bool stays_;   // reset none
  std::string why_;
};

class BodyExecutor final : public explore::Executor {
 public:
  BodyExecutor(BodyExecutors& all, const explore::Setup& setup) : all_(all), setup_(setup) {}

  Status begin(explore::RunOrder order) override;
  bool busy() const override { return child_.has_value(); }
  void add_to(std::vector<pollfd>& fds) const override;
  double wake_at() const override { return child_->wake_at(); }
  Expected<std::optional<explore::Came>> advance() override;
  void abandon() override;

  bool may_batch() const override { return true; }
  bool is_fresh() const override { return !all_.stays_; }
  void distrust(const std::string& why) override { all_.fork_from_now_on(why); }

 private:
  Status start();
  wire::BatchOrder batch_order() const;
  explore::Came came_of_range(const ChildEnd& end);
  explore::RunOrder order_at(uint64_t index, const Profile& profile) const;
  record::RunRecord read_record(const explore::RunOrder& order, const ChildEnd& end) const;

  BodyExecutors& all_;
  const explore::Setup& setup_;
  explore::RunOrder order_{RunSettings()};
  std::optional<Child> child_;
};

}  // namespace snarl::library
