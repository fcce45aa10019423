// The executor of reset rewind: has runs made by a process that puts itself back, and by a fork server what that can't
// do or is not trusted with.
//
// Nothing is believed of a rewound run but that it passed. Every other outcome, and a sample of those that passed, is
// made again by a copy from a fork server that was never rewound, or by a new process. If that differs, no run is
// rewound any more.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/execute/executor.h"
#include "explore/execute/rewinding.h"
#include "explore/execute/worker.h"

namespace snarl::explore {

class Rewinder final : public Executor {
 public:
  // `setup`, which has a Rewinding, and `guard` must outlive it.
  static Expected<std::unique_ptr<Rewinder>> create(const Setup& setup, os::Guard& guard, int cpu);

  size_t room() const override;
  Status begin(RunOrder order) override;
  Status begin_all(std::vector<RunOrder> orders) override;
  bool busy() const override { return at_work_ != nullptr; }
  void add_to(std::vector<pollfd>& fds) const override;
  double wake_at() const override { return at_work_->wake_at(); }
  Expected<std::optional<Came>> advance() override;
  void abandon() override;
  std::optional<std::vector<pid_t>> children() const override;

 private:
  // A run that a copy or a new process is to make.
  struct Again {
    RunOrder order;
    std::optional<record::RunRecord> rewound = {};  // what it is to be compared with ...
    uint64_t output = 0;                            // ... and the hash of what that wrote
    Mode mode = Mode::kFork;
  };

  Rewinder(const Setup& setup, os::Guard& guard, int cpu) : setup_(setup), guard_(guard), cpu_(cpu) {}

  bool is_to_rewind(const RunOrder& order) const;
  Status begin_rewound();
  Status begin_next();
  Status make(std::unique_ptr<Worker>& worker, Mode mode);
  Expected<std::optional<Came>> next_or_end();
  void take_series();
  void take_death(SeriesEnd end, const std::string& why);
  void take_end(SeriesEnd end);
  void take_passed(size_t nth, SeriesEnd& end, bool is_sample);
  void give_back_from(size_t nth);
  void adapt(bool was_clean, double seconds);
  bool is_sample(uint64_t before, uint64_t after) const;
  bool is_right(const record::RunRecord& record, uint64_t output) const;
  void look_whether_it_pays();
  void compare(const Again& run, const record::RunRecord& again, uint64_t output);

  const Setup& setup_;
  os::Guard& guard_;
  const int cpu_;
  std::unique_ptr<Worker> rewinding_, copying_, starting_;  // made when they are needed
  Worker* at_work_ = nullptr;                               // one of them; null: none
  std::vector<RunOrder> orders_;                            // the series under way
  std::deque<Again> again_;                                 // of them; the first is under way, if no series is
  Came came_;                                               // of them, up to now
  std::set<std::pair<uint64_t, int>> right_;  // outputs, with exit codes, that were found to be as expected
  uint64_t passed_ = 0;                       // rewound runs
  uint64_t failed_ = 0, deaths_ = 0;          // others: that ended, and that ended their process
  uint64_t unprepared_ = 0;                   // of the latter, those that made a thread in vain
  size_t length_ = 1;                         // of the next series
  double began_ = 0;
  Profile prepared_;  // for which the process that rewinds has prepared
};

}  // namespace snarl::explore
