#include "coseq/twin_replay.h"

#include <filesystem>

#include "cli/installation.h"
#include "coseq/front/front.h"
#include "explore/target/policy_spec.h"

namespace snarl::coseq {

Schedule lane_schedule(const report::Finding& finding, std::vector<Switch> switches) {
  Schedule schedule;
  schedule.policy = explore::parse_policy(finding.policy) ? finding.policy : "random";
  schedule.key.seed = finding.key.seed;
  schedule.key.index = finding.key.index;
  schedule.key.profile = finding.key.profile;
  schedule.settings.points = kSyncPoints | kUserPoints;
  schedule.settings.clock_base = 1'000'000'000'000'000'000;  // where the clock of a lane begins
  schedule.cpus = 4;
  if (is_failure_of(finding)) schedule.failure = report::kind_of(finding);
  schedule.signature = finding.signature;
  schedule.switches = std::move(switches);
  return schedule;
}

std::string twin_schedule(const report::Finding& finding, std::vector<Switch> switches, const std::string& twin,
                          const std::vector<std::string>& arguments) {
  Schedule schedule = lane_schedule(finding, std::move(switches));
  schedule.program = twin;
  schedule.argv = arguments;
  schedule.signature.clear();
  return write_schedule(schedule);
}

Natively replay_natively(const std::string& schedule, const std::string& twin,
                         const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"timeout",
                                      "10",
                                      "sh",
                                      "-c",
                                      "exec \"$@\" > /dev/null 2>&1",
                                      "sh",
                                      std::filesystem::path(cli::own_path()).parent_path() / "snarl",
                                      "replay",
                                      schedule,
                                      "--",
                                      twin};
  command.insert(command.end(), arguments.begin() + 1, arguments.end());
  switch (run_command(command)) {
    case 1: return Natively::kSame;
    case 0: return Natively::kPassed;
    case 3: return Natively::kDiverged;
    default: return Natively::kUnknown;
  }
}

bool is_failure_of(const report::Finding& finding) {
  if (finding.misuse.kind != MisuseKind::kNone) return true;
  return finding.outcome != OutcomeKind::kOk && !(finding.outcome == OutcomeKind::kExit && finding.exit_code == 0);
}

const char* words_for(Natively result, bool failed) {
  switch (result) {
    case Natively::kSame: return "the same failure";
    case Natively::kPassed: return !failed ? "the same end" : "another end: the program passed";
    case Natively::kDiverged: return "another course: the native program took other steps";
    case Natively::kUnknown: return "no verdict";
  }
  return "";
}

}  // namespace snarl::coseq
