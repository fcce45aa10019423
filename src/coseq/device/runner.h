// The batches of a campaign on a device.
#pragma once

#include <memory>
#include <string>

#include "coseq/device/back_end.h"
#include "coseq/host/batch_runner.h"
#include "coseq/host/scheduler.h"

namespace snarl::coseq {

enum class DeviceKind { kNone, kOpenCl, kCuda, kShim };
enum class EachStep { kByDevice, kYes, kNo };

struct DeviceWanted {
  DeviceKind kind = DeviceKind::kNone;
  EachStep each_step = EachStep::kByDevice;
  bool compare = false;  // each lane on the host too
  uint32_t lanes = 0;    // at once; 0: as many as there is memory for
  uint64_t memory = 0;   // bytes; 0: as much as the device gives
  std::string folder;    // of the installation: where coseq/ is
  std::string scratch;
  std::string server;  // snarl-lanes-device
  std::string keep;    // the device's text is written there; empty: it is not kept
};

struct DeviceCount {
  uint64_t lanes = 0, on_host = 0;       // run on the device; of them, that the host had to run
  uint64_t compared = 0, different = 0;  // lanes that the host ran too
  uint64_t first_different = 0;
  uint32_t at_once = 0;
  uint64_t arena = 0;  // bytes of one lane
};

class DeviceRunner final : public BatchRunner {
 public:
  DeviceRunner(Lane& lane, uint64_t budget, std::string bodies, DeviceWanted wanted)
      : lane_(lane),
        scheduler_(lane, budget),
        budget_(budget),
        bodies_(std::move(bodies)),
        wanted_(std::move(wanted)) {}

  Status begin(std::span<const LanePlan> first) override;
  uint32_t lanes() const override { return back_end_ == nullptr ? 0 : back_end_->lanes(); }
  Expected<Batch> run(std::span<const LanePlan> plans) override;
  const DeviceCount& count() const { return count_; }

 private:
  DeviceSizes sizes_from(std::span<const LanePlan> plans);
  Expected<std::unique_ptr<BackEnd>> open(const DeviceText& text) const;
  void compare(std::span<const LanePlan> plans, const std::vector<LaneOutcome>& outcomes);

  Lane& lane_;
  Scheduler scheduler_;
  const uint64_t budget_;
  const std::string bodies_;
  const DeviceWanted wanted_;
  std::unique_ptr<BackEnd> back_end_;
  std::vector<LanePlan> sorted_;
  DeviceCount count_;
  uint64_t longest_ = 0;  // steps of the lanes that were measured
};

}  // namespace snarl::coseq
