// Schedule after schedule, by the policies in turn, until something fails or the time is over.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coseq/host/batch_runner.h"
#include "coseq/host/explain.h"
#include "coseq/host/scheduler.h"
#include "coseq/host/shared_prefix.h"
#include "coseq/host/switches.h"
#include "coseq/strategy/catalog.h"
#include "report/finding.h"
#include "report/summary.h"
#include "schedule/bound.h"
#include "schedule/run_key.h"

namespace snarl::coseq {

// Run what the lanes of a group have in common once?
enum class SharePrefix { kByClock, kYes, kNo };

struct Wanted {
  std::vector<std::string> policies;  // as after -p
  uint64_t seed = 0;
  uint64_t schedules = 0;  // 0: as many as there is time for
  double seconds = 60;
  uint64_t budget = 1'000'000;
  bool keep_going = false;
  SharePrefix share = SharePrefix::kByClock;
};

// An estimate of how many different values were seen (HyperLogLog: Flajolet, Fusy, Gandouet, Meunier, AofA 2007).
class DistinctCount {
 public:
  DistinctCount() : most_(size_t{1} << kBits) {}
  void add(uint64_t hash);
  // Of what was seen elsewhere: its registers.
  void merge(const std::vector<uint8_t>& most) {
    for (size_t i = 0; i < most_.size() && i < most.size(); ++i) most_[i] = std::max(most_[i], most[i]);
  }
  uint64_t estimate() const;

 private:
  static constexpr int kBits = 12;
  std::vector<uint8_t> most_;
};

// Does it pay to run the beginnings of a group's lanes once? Both ways give the same, so the clock of the CPU may
// choose, by some groups of each.
class PrefixChoice {
 public:
  explicit PrefixChoice(SharePrefix wanted) : wanted_(wanted) {}
  bool shares() const {
    if (wanted_ != SharePrefix::kByClock) return wanted_ == SharePrefix::kYes;
    return measured_ < kTrials ? measured_ % 2 == 0 : seconds_[0] < seconds_[1];
  }
  void took(bool shared, double seconds) {
    if (measured_ >= kWarmUp && measured_ < kTrials) seconds_[shared ? 0 : 1] += seconds;
    ++measured_;
  }
  // The program has other schedules than was thought.
  void begin_again() {
    measured_ = 0;
    seconds_[0] = seconds_[1] = 0;
  }

 private:
  static constexpr int kTrials = 18, kWarmUp = 2;  // groups: half of them share; the first ones do not count
  SharePrefix wanted_;
  int measured_ = 0;
  double seconds_[2] = {};  // of those that shared, and of the others; a sum, as one reading of the clock may be 0
};

class LaneCampaign {
 public:
  LaneCampaign(Lane& lane, const Wanted& wanted);

  // Schedules from the 64th on run there, many at once. All that was said of the others holds for them too.
  void run_in_batches(BatchRunner& batches) { batches_ = &batches; }
  const std::optional<Error>& batch_error() const { return batch_error_; }
  // Failures there that ended otherwise on the host.
  uint64_t disagreements() const { return disagreements_; }

  // `tell` is called with each new finding. False once the program can't be explored: error() says why.
  bool explore(const std::function<void(const report::Finding&)>& tell);
  // The schedule with that index again, traced.
  report::Finding replay(uint64_t index);
  // Of the schedule that was replayed last, for the native twin.
  std::vector<Switch> switches() { return switches_of(trace_, lane_); }
  // The failing path of an exhaustive walk.
  report::Finding replay_path(const std::vector<uint32_t>& path);

  void summarize(report::Summary& summary) const;
  const std::string& error() const { return error_; }

 private:
  // A strategy and what it has done.
  struct Part {
    Chosen chosen;
    PctBound bound;
    PrefixChoice choice;
    uint64_t schedules = 0, failing = 0, first = 0;
  };
  // Where an index is: indices go to the strategies in blocks of the largest group.
  struct Position {
    size_t part;
    uint64_t group;  // of its strategy
    size_t lane;     // in the group
    uint64_t first;  // index of the group's first lane
  };
  struct Failure {
    uint64_t index;
    Ended end;
    uint32_t info;
    uint64_t likeness;
  };
  using Tell = std::function<void(const report::Finding&)>;

  Position position(uint64_t index) const;
  void draw(const Position& at);
  void run_group(const Position& at, uint64_t count);
  void note(Part& part, uint64_t index, const Ended& end);
  // batches.cc
  uint64_t run_many(uint64_t index, uint64_t most);
  uint64_t batch_end(uint64_t index, uint64_t most) const;
  void run_batch(uint64_t index, uint64_t end);
  void count_passed(uint64_t index, const Batch& batch);
  void count_for_bound(Part& part, const Profile& profile, uint64_t lanes, uint64_t passed_over);
  void begin_epoch(uint64_t index);
  uint64_t likeness(const Ended& end);
  void judge(const Failure& failure, const Tell& tell);
  bool can_go_on(const Failure& failure);
  void tell_of(const Failure& failure, size_t& alike, const Tell& tell);
  const Profile& profile_of(uint64_t index) const;

  Lane& lane_;
  Wanted wanted_;
  Scheduler scheduler_;
  SharedPrefix prefix_;
  std::vector<Part> parts_;
  uint64_t block_ = 1;
  std::vector<LanePlan> plans_;
  std::vector<TraceStep> trace_;                        // of the last replay
  std::vector<Failure> failures_;                       // of the group
  std::vector<std::pair<uint64_t, Profile>> profiles_;  // from which index on
  uint64_t next_epoch_ = 1;
  Profile seen_{.threads = 1, .steps = 1};
  DistinctCount distinct_;
  std::map<std::string, size_t> known_;  // by signature
  std::map<uint64_t, size_t> alike_;     // by likeness: which finding
  std::vector<report::SummaryFinding> findings_;
  uint64_t schedules_ = 0, failing_ = 0, too_long_ = 0, unconfirmed_ = 0;
  uint64_t longest_ = 0;
  double seconds_ = 0, cpu_seconds_ = 0;
  std::string error_;

  struct GroupInBatch {
    size_t part;
    uint64_t lanes;
  };
  static constexpr uint64_t kFirstBatch = 64;  // schedules of which the host learns what the program is like
  BatchRunner* batches_ = nullptr;
  std::vector<LanePlan> batch_plans_;
  std::vector<GroupInBatch> batch_groups_;
  std::optional<Error> batch_error_;
  uint64_t disagreements_ = 0;
};

}  // namespace snarl::coseq
