#include "coseq/device/runner.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace snarl::coseq {
namespace {

constexpr size_t kMeasured = 64;           // lanes that say how much memory one needs
constexpr uint64_t kLeastPatience = 8192;  // steps: twice as many as those after which the host looks who spins
constexpr uint64_t kMostPatience = 1 << 30;

// More than was seen: other lanes may need a little more, and those that need much more run on the host.
uint32_t with_room(uint64_t seen, uint32_t least) { return static_cast<uint32_t>(seen + seen / 4 + least); }

uint32_t used_stack(const uint8_t* stack) {
  uint32_t used = kLaneStackSize;
  while (used > 0 && stack[used - 1] == 0) --used;
  return used;
}

// The changes in the order in which they come: a device reads them one by one.
LanePlan sorted_plan(const LanePlan& plan) {
  LanePlan sorted = plan;
  std::vector<std::pair<unsigned, int>> order;
  for (unsigned i = 0; i < plan.changes; ++i) order.emplace_back(plan.points[i], -static_cast<int>(plan.targets[i]));
  std::sort(order.begin(), order.end());
  for (unsigned i = 0; i < plan.changes; ++i) {
    sorted.points[i] = order[i].first;
    sorted.targets[i] = static_cast<unsigned short>(-order[i].second);
  }
  return sorted;
}

}  // namespace

DeviceSizes DeviceRunner::sizes_from(std::span<const LanePlan> plans) {
  uint32_t slots = 1, heap = 0, output = 0, stack = 0;
  for (const LanePlan& plan : plans.subspan(0, std::min(plans.size(), kMeasured))) {
    longest_ = std::max(longest_, scheduler_.run_plan(plan, nullptr).steps);
    const LaneHeader& h = lane_.header();
    slots = std::max(slots, h.slots);
    heap = std::max<uint32_t>(heap, h.heap - kLaneHeap);
    output = std::max(output, h.output);
  }
  for (uint32_t slot = 0; slot < slots; ++slot)
    stack = std::max(stack, used_stack(lane_.memory() + kLaneStacks + slot * kLaneStackStride));
  DeviceSizes sizes;
  sizes.slots = std::min<uint32_t>(slots + 1, kLaneThreads);  // who looks for a free one looks at one more
  sizes.stack = std::min<uint32_t>(with_room(stack + lane_.program().largest_frame, 256), kLaneStackSize);
  sizes.heap = heap == 0 ? 64 : with_room(heap, 1024);
  sizes.output = output == 0 ? 0 : with_room(output, 256);
  return sizes;
}

Expected<std::unique_ptr<BackEnd>> DeviceRunner::open(const DeviceText& text) const {
  const DevicePlace place{wanted_.scratch, wanted_.lanes, wanted_.memory};
  if (wanted_.kind == DeviceKind::kShim) return open_shim(text, place);
  return open_remote(wanted_.kind == DeviceKind::kOpenCl ? "opencl" : "cuda", wanted_.server, text, place);
}

Status DeviceRunner::begin(std::span<const LanePlan> first) {
  const DeviceSizes sizes = sizes_from(first);
  Expected<DeviceText> text = device_text(lane_, bodies_, sizes, wanted_.folder);
  if (!text) return text.error();
  if (!wanted_.keep.empty()) std::ofstream(std::filesystem::path(wanted_.keep) / "device.cl") << text->code;
  Expected<std::unique_ptr<BackEnd>> opened = open(*text);
  if (!opened) return opened.error();
  back_end_ = std::move(*opened);
  count_.at_once = back_end_->lanes();
  count_.arena = text->arena;
  return Done{};
}

Expected<Batch> DeviceRunner::run(std::span<const LanePlan> plans) {
  sorted_.clear();
  for (const LanePlan& plan : plans) sorted_.push_back(sorted_plan(plan));
  LaneBatch wanted = {};
  wanted.each_step = wanted_.each_step == EachStep::kByDevice ? wanted_.kind == DeviceKind::kCuda
                                                              : wanted_.each_step == EachStep::kYes;
  wanted.keeps_all = wanted_.compare;
  wanted.budget = budget_;
  wanted.patience = std::clamp(4 * longest_, kLeastPatience, kMostPatience);
  Expected<BatchResult> result = back_end_->run(sorted_, wanted);
  if (!result) return result.error();
  const LaneTotals& totals = result->totals;
  Batch batch;
  batch.passed = plans.size() - totals.failures;
  batch.steps = totals.steps;
  batch.threads = totals.threads;
  for (const LaneOutcome& one : result->outcomes)
    if (one.status != kLaneExit || one.info != 0) batch.others.push_back({one.lane, one.status});
  std::sort(batch.others.begin(), batch.others.end(), [](const auto& a, const auto& b) { return a.lane < b.lane; });
  for (const lane_u32 rank : totals.distinct) batch.distinct.push_back(static_cast<uint8_t>(rank));
  if (batch.others.size() != totals.failures)
    return Error{"the device told of other failures than it counted", "this is a bug of snarl or of the driver"};
  count_.lanes += plans.size();
  count_.on_host += totals.ended[kLaneToHost];
  if (wanted_.compare) compare(plans, result->outcomes);
  return batch;
}

// A lane that went to the host says nothing that could be compared.
void DeviceRunner::compare(std::span<const LanePlan> plans, const std::vector<LaneOutcome>& outcomes) {
  for (const LaneOutcome& there : outcomes) {
    if (there.status == kLaneToHost) continue;
    const Ended here = scheduler_.run_plan(plans[there.lane], nullptr);
    const bool same = here.status == there.status && here.steps == there.steps && here.threads == there.threads &&
                      here.order == there.order && lane_.header().info == there.info;
    if (!same && count_.different++ == 0) count_.first_different = count_.lanes - plans.size() + there.lane;
    ++count_.compared;
  }
}

}  // namespace snarl::coseq
