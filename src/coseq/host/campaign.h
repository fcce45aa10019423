// Schedule after schedule, by the methods in turn, until something fails or the time is over.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coseq/host/batch_runner.h"
#include "coseq/host/runner.h"
#include "coseq/host/switches.h"
#include "report/finding.h"
#include "report/progress.h"
#include "report/summary.h"
#include "schedule/bound.h"

namespace snarl::coseq {

struct Wanted {
  std::vector<std::string> policies;  // as after -p, each known to be right
  uint64_t seed = 0;
  uint64_t schedules = 0;  // 0: as many as there is time for
  double seconds = 60;
  uint64_t budget = 1'000'000;
  int workers = 1;
  bool keep_going = false;
  SharePrefix share = SharePrefix::kByClock;
};

// A schedule to be run again, with what it was planned for; 0: it has to be learnt from those before it.
struct Again {
  uint64_t index = 0, threads = 0, steps = 0, epoch = 0;
};

class LaneCampaign {
 public:
  LaneCampaign(Lane& lane, const Wanted& wanted);

  // Schedules from the 64th on run there, many at once. All that was said of the others holds for them too.
  void run_in_batches(BatchRunner& batches);
  const std::optional<Error>& batch_error() const { return batch_error_; }
  // Failures there that ended otherwise on the host.
  uint64_t disagreements() const { return disagreements_; }

  using Tell = std::function<void(const report::Finding&)>;
  using Watch = std::function<bool(const report::Progress&)>;
  // `tell` is called with each new finding, `watch` some times per second: false ends it. False once the program can't
  // be explored: error() says why.
  bool explore(const Tell& tell, const Watch& watch);
  // From then on, replay() of that index is what it was.
  bool learn(const Again& again);
  // The schedule with that index again, traced.
  report::Finding replay(uint64_t index);
  // Of the schedule that was replayed last, for the native twin.
  std::vector<Switch> switches() const { return switches_of(trace_, lane_); }
  // The failing path of an exhaustive walk.
  report::Finding replay_path(const std::vector<uint32_t>& path);

  void summarize(report::Summary& summary) const;
  const std::string& error() const { return error_; }

 private:
  uint64_t run_batch(uint64_t index, uint64_t end, Tally& tally);
  bool may_continue(uint64_t more, const Watch& watch);
  void take_in(const Tally& tally, const Tell& tell);
  void judge(const FailureKind& kind, const Tell& tell);
  void tell_of(const FailureKind& kind, size_t& alike, const Tell& tell);
  void note_limit(const Tally& tally);
  void begin_epoch(uint64_t index);

  Lane& lane_;
  Wanted wanted_;
  Runner runner_;
  std::vector<PctBound> bounds_;                        // by method
  std::vector<TraceStep> trace_;                        // of the last replay
  std::vector<std::pair<uint64_t, Profile>> profiles_;  // from which index on
  uint64_t next_epoch_ = 1;
  Tally all_;
  std::map<std::string, size_t> known_;  // by signature
  std::map<uint64_t, size_t> alike_;     // by likeness: which finding
  std::vector<report::SummaryFinding> findings_;
  uint64_t failing_ = 0, unconfirmed_ = 0;
  double begin_ = 0, seconds_ = 0, cpu_seconds_ = 0, told_at_ = 0, deadline_ = 0;
  uint64_t told_schedules_ = 0;
  bool out_of_time_ = false;
  std::string error_;

  static constexpr uint64_t kFirstBatch = 64;  // schedules of which the host learns what the program is like
  BatchRunner* batches_ = nullptr;
  std::optional<Error> batch_error_;
  uint64_t disagreements_ = 0;
};

report::SummaryFinding row_of(const report::Finding& finding);

}  // namespace snarl::coseq
