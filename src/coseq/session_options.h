// The options of `snarl lanes` as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/run_options.h"
#include "coseq/device_options.h"
#include "coseq/front/sources.h"
#include "coseq/host/campaign.h"

namespace snarl::coseq {

struct Options {
  Wanted wanted;
  Sources sources;
  std::vector<std::string> arguments;  // of the program
  std::string emit;
  std::optional<uint32_t> preemptions;
  std::optional<Again> replay;
  Inputs inputs;
  DeviceWanted device;
  std::optional<uint32_t> simt;       // warps
  std::vector<std::string> repeated;  // words that say how a schedule goes, for the command that repeats one
  cli::RunOptions outputs;            // of these, where results go and how they look
};

Expected<Options> read_options(const cli::Arguments& arguments);

}  // namespace snarl::coseq
