// Orders one run, or a range of runs: who it is, how it is made, and the tables that go with it.
#pragma once

#include <memory>

#include "record/count_tables.h"
#include "record/event_groups.h"
#include "record/shared_places.h"
#include "record/site_pairs.h"
#include "schedule/directive_file.h"
#include "schedule/run_key.h"
#include "schedule/run_settings.h"
#include "schedule/schedule.h"
#include "wire/batch.h"

namespace snarl::explore {

struct RunOrder {
  explicit RunOrder(const RunSettings& all) : settings(all) {}  // those of the setup, so that none is forgotten

  RunKey key;
  RunSettings settings;
  std::shared_ptr<const record::CountTables> counts = nullptr;   // null: the policy needs none
  std::shared_ptr<const record::SharedPlaces> places = nullptr;  // null: none are known
  // Of the epoch, whether this run has them or not: a process that makes many runs prepares for them.
  std::shared_ptr<const record::SharedPlaces> epoch_places = nullptr;
  std::shared_ptr<const record::SharedPlaces> spin_loads = nullptr;  // likewise, loads of loops that were seen to spin
  std::shared_ptr<const record::GroupNames> groups = nullptr;        // null: the policy needs none
  std::shared_ptr<const record::SitePairs> pairs = nullptr;          // null: the policy needs none
  uint64_t pairs_since = 0;                                          // its turns before their epoch
  std::shared_ptr<const Schedule> follow = nullptr;                  // for the policy `follow`
  std::shared_ptr<const Directive> directive = nullptr;              // for the policy `obey`; null: that of its file
  SharedPlace meeting[2] = {};                                       // for the policy `meet`
  // Not only this run, but all from here on, as one process makes them without asking (key and settings are those of
  // the order). Null: one run.
  std::shared_ptr<const wire::BatchOrder> range = nullptr;
  bool profiling = false;  // its index is that of a profiling run
  bool on_gates = false;   // whatever the setup says
  bool keep_all = false;   // copy everything out even if the run passes
  int losses = 0;          // processes that were killed from outside on this order
  bool shared = false;     // it was one of a range, in a process that had made others
  double most_until = 0;   // now_seconds(): a run over its step budget is ended then, and so is a range; 0: never
  double linger = 0;       // seconds it has after the last switch of `follow`; 0: its whole time
};

// Does nothing of it but how it came out, and what a series tells (wire/series.h), interest anybody, as long as it
// passes? Such runs may be made by a process that makes many.
inline bool is_plain(const RunOrder& order) {
  const RunSettings& s = order.settings;
  const bool is_watched = s.trace || s.count || s.parallel || s.listed_groups != 0;
  const bool is_special = order.profiling || order.on_gates || order.keep_all || order.losses != 0;
  return !is_watched && !is_special && s.learning != Learning::kProfile && order.follow == nullptr &&
         order.directive == nullptr && order.range == nullptr && order.groups == nullptr &&
         order.key.policy.file[0] == '\0';
}

// The tables of a series, which has one of each kind. Each order has that or none.
class SeriesTables {
 public:
  // False: that order is for another series.
  bool take(const RunOrder& order) {
    if (!fits(counts_, order.counts) || !fits(pairs_, order.pairs)) return false;
    if (any_ && places_ != order.epoch_places) return false;
    if (order.counts != nullptr) counts_ = order.counts;
    if (order.pairs != nullptr) pairs_ = order.pairs;
    places_ = order.epoch_places;
    any_ = true;
    return true;
  }

 private:
  template <typename T>
  static bool fits(const T& known, const T& other) {
    return known == nullptr || other == nullptr || known == other;
  }

  std::shared_ptr<const record::CountTables> counts_;
  std::shared_ptr<const record::SitePairs> pairs_;
  std::shared_ptr<const record::SharedPlaces> places_;
  bool any_ = false;
};

}  // namespace snarl::explore
