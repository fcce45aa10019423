// Lists the pairs of sites that accessed one object in a run, so that later runs can choose from them
// (schedule/site_pair.h).
//
// Two sites are a pair if at least one of them writes, both take a lock or neither does, and together they were used by
// two threads or more. What is in the list already, from an earlier run, is not listed again.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/dense_index.h"
#include "base/hash.h"
#include "schedule/access.h"
#include "schedule/site_pair.h"

namespace snarl::conduct {

// Where pairs are listed; what does not fit in is not.
struct PairList {
  std::span<SitePair> room = {};
  uint32_t* met = nullptr;  // how many are listed; null: not wanted
};

class PairWatch {
 public:
  static constexpr size_t kObjects = 4096;  // of one run; those beyond have no pairs
  static constexpr size_t kUses = 8192;     // sites of all objects
  static constexpr size_t kMostSites = 24;  // of one object: more of them say little about which of them matter

  [[gnu::noinline]] void begin(Arena& arena, const PairList& list) {
    list_ = list;
    is_on_ = list.met != nullptr;
    if (!is_on_) return;
    if (*list.met == 0) listed_.clear();
    index_ = &arena.room<Index>(1)[0];
    index_->clear();
    objects_ = arena.room<Object>(kObjects);
    uses_ = arena.room<Use>(kUses);
    objects_used_ = uses_used_ = 0;
  }

  bool is_on() const { return is_on_; }

  // Thread `t` has accessed an object, at that site, while other threads lived.
  void stepped(ThreadId t, const Op& op, uint64_t site) {
    Object* object = find(accessed_object(op));
    if (object == nullptr) return;
    uint16_t count = 0;
    for (uint16_t i = object->first; i != kEnd; i = uses_[i].next, ++count)
      if (uses_[i].site == site) return note_thread(*object, uses_[i], t);
    if (count == kMostSites || uses_used_ == kUses) return;
    uses_[uses_used_] = {site, object->first, t, false, access_of(op) == Access::kWrite, takes_lock(op)};
    object->first = static_cast<uint16_t>(uses_used_++);
    list_pairs(*object, uses_[object->first]);
  }

 private:
  using Index = DenseIndex<2 * kObjects>;
  using Listed = DenseIndex<2 * kMaxPairs>;
  static constexpr uint16_t kEnd = 0xffff;

  struct Object {
    uint64_t address = 0;
    uint16_t first = kEnd;  // its sites, the last one first
  };

  struct Use {
    uint64_t site = 0;
    uint16_t next = kEnd;
    ThreadId thread = kNoThread;  // the first that was there
    bool several = false;         // others were, too
    bool writes = false;
    bool locks = false;

    bool pairs_with(const Use& other) const {
      if (locks != other.locks || !(writes || other.writes)) return false;
      return several || other.several || thread != other.thread;
    }
  };

  static bool takes_lock(const Op& op) { return is_acquisition(op) || op.kind == OpKind::kReacquire; }

  Object* find(uint64_t address) {
    const uint64_t hash = spread(address);
    const auto is_it = [&](size_t i) { return objects_[i].address == address; };
    size_t at = index_->find(hash, is_it);
    if (__builtin_expect(at != Index::kNone, 1)) return &objects_[at];
    if (address == 0 || objects_used_ == kObjects) return nullptr;
    at = index_->find_or_add(hash, objects_used_++, is_it);
    objects_[at] = {address};
    return &objects_[at];
  }

  void note_thread(Object& object, Use& use, ThreadId t) {
    if (__builtin_expect(use.several || use.thread == t, 1)) return;
    use.several = true;
    list_pairs(object, use);
  }

  [[gnu::noinline]] void list_pairs(const Object& object, const Use& use) {
    for (uint16_t i = object.first; i != kEnd; i = uses_[i].next) {
      if (uses_[i].site == use.site || !use.pairs_with(uses_[i])) continue;
      list({use.site, uses_[i].site});
      list({uses_[i].site, use.site});
    }
  }

  void list(const SitePair& pair) {
    const uint32_t next = *list_.met;
    if (next >= list_.room.size() || next >= kMaxPairs) return;
    const auto is_it = [&](size_t i) { return list_.room[i] == pair; };
    list_.room[next] = pair;  // before it is looked for: an entry that is not counted is found by nobody
    if (listed_.find_or_add(hash_of(pair), next, is_it) == next) ++*list_.met;  // last: the process may end at any time
  }

  PairList list_;
  bool is_on_ = false;
  Index* index_ = nullptr;
  std::span<Object> objects_;
  std::span<Use> uses_;
  size_t objects_used_ = 0, uses_used_ = 0;
  Listed listed_;  // all that is in the list
};

}  // namespace snarl::conduct
