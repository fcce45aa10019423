// snarl-lanes-device: the process that has a driver. `snarl-lanes-device list` prints what there is;
// `snarl-lanes-device opencl|cuda SCRATCH` takes a text and batches from its channel until that is closed.
#include <cstdio>
#include <string_view>

#include "coseq/device/back_end.h"
#include "coseq/device/channel.h"

namespace snarl::coseq {
namespace {

int list() {
  for (const std::vector<std::string>& lines : {opencl_devices(), cuda_devices()})
    for (const std::string& line : lines) std::puts(line.c_str());
  return 0;
}

// 1: the other end is gone.
int serve(std::string_view kind, const std::string& scratch) {
  const Channel channel(kChannel);
  DeviceText text;
  DevicePlace place;
  place.scratch = scratch;
  if (!channel.get_list(text.code) || !channel.get(&text.arena, sizeof text.arena) ||
      !channel.get(&place.most_lanes, sizeof place.most_lanes) || !channel.get(&place.memory, sizeof place.memory))
    return 1;
  Expected<std::unique_ptr<BackEnd>> opened = kind == "opencl" ? open_opencl(text, place) : open_cuda(text, place);
  if (!channel.put_error(opened ? Error{} : opened.error())) return 1;
  if (!opened) return 0;
  const uint32_t lanes = (*opened)->lanes();
  if (!channel.put(&lanes, sizeof lanes)) return 1;
  LaneBatch batch;
  std::vector<LanePlan> plans;
  while (channel.get(&batch, sizeof batch) && channel.get_list(plans)) {
    const Expected<BatchResult> result = (*opened)->run(plans, batch);
    if (!channel.put_error(result ? Error{} : result.error())) return 1;
    if (!result) continue;
    if (!channel.put(&result->totals, sizeof result->totals) ||
        !channel.put_list(result->outcomes.data(), result->outcomes.size()))
      return 1;
  }
  return 0;
}

}  // namespace
}  // namespace snarl::coseq

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "list") return snarl::coseq::list();
  if (argc == 3) return snarl::coseq::serve(argv[1], argv[2]);
  std::fputs("snarl-lanes-device is started by snarl lanes\n", stderr);
  return 2;
}
