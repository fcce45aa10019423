// Where thousands of lanes run at once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "coseq/device/code/results.h"
#include "coseq/device/text.h"
#include "coseq/strategy/lane_plan.h"

namespace snarl::coseq {

struct BatchResult {
  LaneTotals totals = {};
  std::vector<LaneOutcome> outcomes;  // of lanes that did not pass; of all if the batch keeps all
};

class BackEnd {
 public:
  virtual ~BackEnd() = default;
  // How many lanes there is memory for at once.
  virtual uint32_t lanes() const = 0;
  // The changes of each plan are in the order in which they come.
  virtual Expected<BatchResult> run(std::span<const LanePlan> plans, LaneBatch batch) = 0;
};

struct DevicePlace {
  std::string scratch;      // a folder for files
  uint32_t most_lanes = 0;  // 0: as many as there is memory for
  uint64_t memory = 0;      // bytes for all arenas; 0: as much as the device gives
};

Expected<std::unique_ptr<BackEnd>> open_opencl(const DeviceText& text, const DevicePlace& place);
Expected<std::unique_ptr<BackEnd>> open_cuda(const DeviceText& text, const DevicePlace& place);
// Either of them, in a process of its own: `server` is the path of snarl-lanes-device.
Expected<std::unique_ptr<BackEnd>> open_remote(const std::string& kind, const std::string& server,
                                               const DeviceText& text, const DevicePlace& place);
// The same text compiled for the host with the checks of its compiler: a test of the text.
Expected<std::unique_ptr<BackEnd>> open_shim(const DeviceText& text, const DevicePlace& place);

// One line for each device, as `snarl lanes --devices` prints them; or why there is none.
std::vector<std::string> opencl_devices();
std::vector<std::string> cuda_devices();

// Lanes that fit into `memory`, a multiple of 32, at most `most` (0: any number, at most 65,536).
uint32_t lanes_for(uint64_t memory, uint64_t arena, uint32_t most);

}  // namespace snarl::coseq
