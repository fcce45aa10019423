// `snarl run --corpus FOLDER`: schedules that failed once are run before the exploration, so that a fixed bug stays
// fixed.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "explore/campaign/explorer.h"
#include "schedule/schedule.h"

namespace snarl::cli {

// The schedules below the folder (*.snarl, in the order of their paths) that were recorded with a program of this name.
Expected<std::vector<Schedule>> read_corpus(const std::string& folder, const std::string& program);

struct CorpusRuns {
  uint64_t runs = 0;
  uint64_t again = 0;  // schedules that fail as they did
};

// Each of them once, and confirmed if it fails as recorded; where it does not fit any more, some that are near it. What
// fails is told to `observer`. `setup` says what is run: a schedule chooses no command.
Expected<CorpusRuns> run_corpus(const std::vector<Schedule>& corpus, const explore::Setup& setup,
                                explore::Executors& executors, int cpu, int stop_fd, explore::Observer& observer);

}  // namespace snarl::cli
