// The executor of programs: it starts the processes, watches one run to its end and copies it out of the wire.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/error.h"
#include "explore/execute/executor.h"
#include "explore/execute/fiber_watch.h"
#include "explore/execute/fork_client.h"
#include "explore/execute/order_writer.h"
#include "explore/execute/series.h"
#include "explore/execute/sleep_watch.h"
#include "explore/execute/time_limit.h"
#include "explore/target/setup.h"
#include "os/capture.h"
#include "os/guard.h"
#include "os/process.h"
#include "os/system.h"
#include "record/output_check.h"
#include "record/record.h"
#include "record/wire_memory.h"

namespace snarl::explore {

class Worker final : public Executor {
 public:
  // `setup` and `guard` must outlive it. cpu: the core to pin to, -1 for none.
  static Expected<std::unique_ptr<Worker>> create(const Setup& setup, os::Guard& guard, Mode mode, int cpu);

  Status begin(RunOrder order) override;
  // Reset rewind only. What comes of it is an empty Came, and then series_end().
  Status begin_series(std::vector<RunOrder> orders);
  bool busy() const override { return phase_ != Phase::kIdle; }
  void add_to(std::vector<pollfd>& fds) const override;
  double wake_at() const override;
  Expected<std::optional<Came>> advance() override;
  void abandon() override;
  std::optional<std::vector<pid_t>> children() const override;

  // Reset rewind: what came of the series. Its process has ended if there is none to make the next one.
  SeriesEnd series_end() const;
  bool has_process() const { return server_.has_value(); }
  // Why the process has ended; empty: for no reason of ours.
  std::string rewind_obstacle() const;
  bool was_ended_by(int signal) const { return ended_by_ == signal; }
  uint64_t output_hash() const;  // of the last run, as much as is captured

 private:
  enum class Phase { kIdle, kStarting, kAsked, kRunning };

  Worker(const Setup& setup, os::Guard& guard, Mode mode, record::WireMemory wire, os::Pipe out, os::Pipe err)
      : setup_(setup), guard_(guard), mode_(mode), wire_(std::move(wire)), out_(std::move(out)), err_(std::move(err)) {}

  bool rewinds() const { return mode_ == Mode::kRewind; }
  bool has_server() const { return mode_ == Mode::kFork || rewinds(); }
  pid_t running_pid() const { return process_ ? process_->pid() : server_->pid(); }
  void begin_watching(double waited_before);
  double look_back();
  std::optional<os::ProcessEnd> ended();
  void kill_run();
  void write_spin_loads();
  void renew_for_places();
  Status start_server();
  Status start_process();
  Status ask();
  Status adopt(pid_t pid);
  void write_command();
  bool switches_on_fibers() const;
  bool watches_fibers() const;
  Status on_starting();
  Status on_asked();
  Status server_failed(const std::string& what, std::optional<os::ProcessEnd> ending = {});
  Expected<std::optional<Came>> on_running();
  Sharing sharing() const;
  void watch_next_run();
  uint64_t run_under_way() const;
  bool is_out_of_time();
  bool is_over_budget() const;
  bool is_scanning() const;
  void begin_start();
  bool is_start_over();
  void look_for_last_switch();
  bool hangs_uncontrolled();
  void look_after_fibers();
  Expected<std::optional<Came>> end_run(const os::ProcessEnd& ending);
  bool gave_up_fibers();
  record::RunRecord finish(const os::ProcessEnd& ending);
  void settle(record::RunRecord& record, const os::ProcessEnd& ending) const;
  void leave_out_known_races(record::RunRecord& record);
  void drain();

  const Setup& setup_;
  os::Guard& guard_;
  const Mode mode_;
  record::WireMemory wire_;
  os::Pipe out_, err_;
  os::Capture captured_out_, captured_err_;
  std::unique_ptr<record::OutputCheck> check_;  // null: nothing is expected

  Phase phase_ = Phase::kIdle;
  RunOrder order_{RunSettings()};
  std::set<std::pair<GroupBy, uint64_t>> known_groups_;  // that were in a record already
  std::set<std::array<uint64_t, 3>> known_races_;        // likewise
  uint64_t run_ = 0, last_run_ = 0;  // Command::run of the run under way; of a series: of its first, and of its last
  uint64_t watched_ = 0;             // of the series: the run that limits were set for
  double took_ = 0;                  // seconds, the series
  int ended_by_ = 0;                 // the signal that ended its process; 0: none
  std::vector<RunOrder> series_;     // reset rewind; order_ has the tables of all
  OrderWriter writer_;
  std::optional<Server> server_;
  record::SharedPlaces spin_loads_;  // that are points in the processes that are started now
  std::shared_ptr<const record::SharedPlaces> prepared_places_;  // reset rewind: of the process
  std::optional<os::Process> process_;
  int servers_in_vain_ = 0;  // servers in a row that gave no run
  double began_ = 0;
  double deadline_ = 0;
  double looked_back_ = 0, waited_before_ = 0;  // when the process was looked at, and what it had waited
  TimeLimit time_limit_;
  bool timed_out_ = false;
  bool lingers_ = false;  // RunOrder::linger has begun
  std::string obstacle_;  // to fibers: from then on, runs are on gates
  FiberWatch fiber_watch_;
  SleepWatch sleep_watch_;
};

// Makes workers; these may be of any mode.
class Workers final : public Executors {
 public:
  explicit Workers(os::Guard& guard) : guard_(guard) {}

  Expected<std::unique_ptr<Executor>> make(const Setup& setup, Mode mode, int cpu) override;
  os::Guard* guard() override { return &guard_; }

 private:
  os::Guard& guard_;
};

}  // namespace snarl::explore
