#include "coseq/device_options.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal.h"
#include "cli/values.h"
#include "coseq/front/command.h"
#include "coseq/strategy/catalog.h"

namespace snarl::coseq {

Status read_device(const cli::Arguments& arguments, std::vector<std::string>& policies, DeviceWanted& device) {
  Expected<size_t> kind = cli::parse_choice("--device", arguments.get("device"), "host|opencl|cuda|shim");
  if (!kind) return kind.error();
  device.kind = static_cast<DeviceKind>(*kind);
  Expected<size_t> each = cli::parse_choice("--each-step", arguments.get("each-step"), "auto|yes|no");
  if (!each) return each.error();
  device.each_step = static_cast<EachStep>(*each);
  device.compare = arguments.has("compare-host");
  if (arguments.has("device-lanes")) {
    Expected<uint64_t> lanes =
        cli::parse_count(arguments.label("device-lanes"), arguments.get("device-lanes"), 32, 1 << 24);
    if (!lanes) return lanes.error();
    device.lanes = static_cast<uint32_t>(*lanes);
  }
  if (arguments.has("device-memory")) {
    Expected<uint64_t> memory =
        cli::parse_count(arguments.label("device-memory"), arguments.get("device-memory"), 1, 1 << 24);
    if (!memory) return memory.error();
    device.memory = *memory << 20;
  }
  if (device.kind == DeviceKind::kNone) return Done{};
  if (arguments.given("policy") == nullptr) policies = {"uact:depth=3,lanes=32", "uact:depth=2,lanes=32"};
  for (const std::string& policy : policies)
    if (policy.rfind("random", 0) == 0 || policy.rfind("ppct", 0) == 0)
      return Error{"--device: -p " + policy + " draws at each step, which only the host does",
                   "devices run pct, act and uact", 2};
  if (arguments.has("preemptions"))
    return Error{"--device: --preemptions walks over states, which only the host does", "leave --device out", 2};
  return Done{};
}

int list_devices(const std::string& server) {
  cli::show("host     this processor, one lane at a time\n");
  if (run_command({server, "list"}) == 0) return 0;
  return cli::complain({server + " can't list the devices", "is snarl installed as a whole?"});
}

void put_device_count(const DeviceCount& count, uint64_t disagreements, bool json) {
  std::string text = fmt::format("Device: {} lanes of {} bytes at once; {} ran there, {} of them went to the host\n",
                                 count.at_once, count.arena, count.lanes, count.on_host);
  if (count.compared > 0)
    text += fmt::format("Compared with the host: {} lanes, {} differ{}\n", count.compared, count.different,
                        count.different > 0 ? fmt::format(", first lane {}", count.first_different) : "");
  if (disagreements > 0)
    text += fmt::format("{} failures on the device ended otherwise on the host, which is right\n", disagreements);
  if (json)
    std::fputs(text.c_str(), stderr);
  else
    cli::show(text);
}

}  // namespace snarl::coseq
