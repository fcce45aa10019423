// The campaign's batches: groups that run elsewhere, and what of them comes back.
#include <algorithm>

#include "coseq/host/batch_runner.h"
#include "coseq/host/campaign.h"

namespace snarl::coseq {

void LaneCampaign::run_in_batches(BatchRunner& batches) {
  batches_ = &batches;
  runner_.as_elsewhere();
}

// From `index` on as many as run at once, and none beyond an epoch, in which plans are drawn alike.
uint64_t LaneCampaign::run_batch(uint64_t index, uint64_t end, Tally& tally) {
  if (batches_->lanes() == 0)
    if (Status begun = batches_->begin(runner_.plans(index, index + kFirstBatch)); !begun) {
      batch_error_ = begun.error();
      return index;
    }
  end = std::min(end, index + batches_->lanes());
  const std::vector<LanePlan> plans = runner_.plans(index, end);
  Expected<Batch> batch = batches_->run(plans);
  if (!batch) {
    batch_error_ = batch.error();
    return index;
  }
  disagreements_ += runner_.take_batch(index, plans, *batch, tally);
  return end;
}

}  // namespace snarl::coseq
