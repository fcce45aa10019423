// What a finding is called, which run it is of, and where it is kept. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "report/location.h"
#include "schedule/run_key.h"
#include "schedule/run_settings.h"

namespace snarl::report {

struct FindingCommand {
  std::string what;     // "Replay", "Debug"
  std::string command;  // "snarl replay 0001"
};

struct FindingHead {
  std::string id;         // "0001"
  std::string signature;  // see signature_of in explain/signature.h
  std::string hash;       // six hex digits of it
  Location place = {};    // where it failed
  bool confirmed = false;
  std::string doubt = {};  // why it is not, if not because it did not happen again

  std::string policy;  // as after -p: what key.policy is
  RunKey key;
  RunSettings settings;
  uint64_t schedules_before = 0;
  double seconds = 0;  // since the start of the exploration
  uint64_t switches = 0;
  Step steps = 0;

  std::string program;  // path
  std::vector<std::string> argv = {};
  std::string build_id = {};

  uint64_t fault_address = 0;
  int exit_code = 0;
  uint32_t failing_thread = 0;
  std::string out_tail = {}, err_tail = {};
  uint64_t rows_lost = 0;  // steps before the first row: of a long run, its end is told

  std::string folder = {};  // "snarl-out/findings/0001-deadlock-9c41e0"
  std::vector<FindingCommand> commands = {};

  uint64_t switches_before_minimizing = 0;  // 0: no shorter schedule was found, or looked for
};

// The name of a finding's folder: "0001-deadlock-9c41e0".
inline std::string folder_name(const FindingHead& head, const std::string& kind) {
  return head.id + "-" + kind + "-" + head.hash;
}

}  // namespace snarl::report
