// --device and what belongs to it: words in, words out.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/configuration.h"
#include "coseq/device/runner.h"

namespace snarl::coseq {

// `policies`: without -p they become those that devices run; of others it is said that they can't.
Status read_device(const cli::Arguments& arguments, std::vector<std::string>& policies, DeviceWanted& device);

// What there is to run lanes on, one line for each. The exit code.
int list_devices(const std::string& server);

// Below the summary; to stderr if stdout has JSON.
void put_device_count(const DeviceCount& count, uint64_t disagreements, bool json);

}  // namespace snarl::coseq
