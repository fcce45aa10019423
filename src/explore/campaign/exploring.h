// The explorer's inside (explorer.h is its face). explorer.cc drives the stations from the start to the end;
// explorer_failures.cc takes what comes back from them.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/campaign/after_profiling.h"
#include "explore/campaign/explorer.h"
#include "explore/campaign/failure_check.h"
#include "explore/campaign/pace.h"
#include "explore/execute/station.h"
#include "os/strays.h"

namespace snarl::explore {

class Explorer {
 public:
  Explorer(const Setup& setup, const ExploreOptions& options, Executors& executors, Observer& observer)
      : setup_(setup),
        options_(options),
        executors_(executors),
        observer_(observer),
        replays_(setup_),
        campaign_(options.plan, setup_.settings),
        failures_(campaign_.rota(), options.plan.policies.size()),
        check_(executors, options.cpus.back(), options.after_finding, options.stop_fd,
               [this](const report::Progress& progress) { observer_.on_progress(progress); }) {}

  Exploration run();

 private:
  using Lock = std::unique_lock<std::mutex>;

  double elapsed() const { return os::now_seconds() - began_; }
  double time_for_runs() const;
  void give_up(Station& station);
  Status make_stations();
  void drive_all();
  void drive(Station& station);
  Status turn(Station& station, Lock& lock);
  Status hand_out(Station& station);
  std::vector<RunOrder> next_orders(size_t room);
  Status conclude();
  void wake_idle();
  void end();
  void fail(const Error& error);
  bool nothing_to_test();
  Status take(Station& station, Came came);
  Status take(const RunOrder& order, record::RunRecord record);
  Status take_last(Station& station, record::RunRecord record);
  void try_alone(const std::string& signature, const record::RunRecord& record);
  void note_possible_of_profiling(record::RunRecord record);
  void predict_from(const record::RunRecord& record);
  void tell_notes(record::RunRecord& record);
  void need_gates(const std::string& why);
  Status look_at_failures();
  Status look_at(const std::string& signature, record::RunRecord record);
  Status look_at_possible(const std::string& signature, record::RunRecord record);
  void note_confirmed(const FailedRun& failure, bool all_failed);
  void take_out(const Examination& examination);
  void tell_progress();
  void finish();
  report::Repeatable check_repeatable(double spare, const Stop& stop);

  Setup setup_;  // changes only while nothing is under way
  const ExploreOptions& options_;
  Executors& executors_;
  std::optional<os::Strays> strays_;  // where there is a guard
  std::vector<Station> stations_;     // each of them its thread's

  std::mutex mutex_;  // all below, and the observer
  Observer& observer_;
  Setup replays_;  // as runs have shown that it must be
  Campaign campaign_;
  std::set<Station*> idle_;      // wait for others
  std::set<Station*> outdated_;  // their processes have patches that were taken out since
  Exploration result_;
  OpenFailures failures_;
  FailureCheck check_;
  AfterProfiling after_profiling_;
  Pace pace_;
  size_t possible_of_profiling_ = 0;  // races that were noted
  std::string obstacle_;              // to fibers
  bool over_ = false;
  double began_ = 0, cpu_began_ = 0;
};

}  // namespace snarl::explore
