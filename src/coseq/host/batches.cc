// The campaign's batches: groups that run elsewhere, and what of them comes back.
#include <algorithm>

#include "coseq/host/batch_runner.h"
#include "coseq/host/campaign.h"

namespace snarl::coseq {

// How many plans a batch that begins there has: whole groups, and none beyond an epoch, in which plans are drawn alike.
uint64_t LaneCampaign::batch_end(uint64_t index, uint64_t most) const {
  return std::min({most, next_epoch_, index + batches_->lanes()});
}

void LaneCampaign::run_batch(uint64_t index, uint64_t end) {
  batch_plans_.clear();
  batch_groups_.clear();
  for (uint64_t at = index; at < end;) {
    const Position group = position(at);
    draw(group);
    const uint64_t count = std::min<uint64_t>(plans_.size(), end - at);
    batch_plans_.insert(batch_plans_.end(), plans_.begin(), plans_.begin() + static_cast<ptrdiff_t>(count));
    batch_groups_.push_back({group.part, count});
    at += count;
  }
  failures_.clear();
  Expected<Batch> batch = batches_->run(batch_plans_);
  if (!batch) {
    batch_error_ = batch.error();
    return;
  }
  count_passed(index, *batch);
  for (const Batch::Other& other : batch->others) {
    Part& part = parts_[position(index + other.lane).part];
    const Ended here = scheduler_.run_plan(batch_plans_[other.lane], nullptr);
    if (other.end != kLaneToHost && other.end != here.status) ++disagreements_;
    note(part, index + other.lane, here);
  }
}

uint64_t LaneCampaign::run_many(uint64_t index, uint64_t most) {
  if (batches_->lanes() == 0) {
    batch_plans_.clear();
    for (uint64_t at = index; at < index + kFirstBatch; at += plans_.size()) {
      draw(position(at));
      batch_plans_.insert(batch_plans_.end(), plans_.begin(), plans_.end());
    }
    if (Status begun = batches_->begin(batch_plans_); !begun) {
      batch_error_ = begun.error();
      return index;
    }
  }
  const uint64_t end = batch_end(index, most);
  run_batch(index, end);
  return end;
}

void LaneCampaign::count_passed(uint64_t index, const Batch& batch) {
  schedules_ += batch.passed;
  seen_.threads = std::max(seen_.threads, batch.threads);
  seen_.steps = std::max<Step>(seen_.steps, batch.steps);
  distinct_.merge(batch.distinct);
  size_t other = 0;
  uint64_t lane = 0;
  for (const auto& [number, count] : batch_groups_) {
    Part& part = parts_[number];
    part.schedules += count;
    for (; other < batch.others.size() && batch.others[other].lane < lane + count; ++other) --part.schedules;
    count_for_bound(part, profile_of(index + lane), count, 0);
    lane += count;
  }
}

}  // namespace snarl::coseq
