// Is a crash the program's own doing, or that of our patches? It is made once more with the program's bytes untouched
// and the same points, by stepping (runtime/patch/stepping.h), following the same decisions.
#pragma once

#include <string>
#include <vector>

#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

struct Examination {
  enum class Verdict {
    kStands,  // it happens without patches too, or there were none
    kOurs,    // patches made it
    kOpen,    // nobody knows: `why`
  };
  Verdict verdict = Verdict::kStands;
  std::string why = {};                 // kOurs and kOpen: the end of a sentence
  std::vector<std::string> files = {};  // kOurs: names of the files whose patches are wrong
};

// Ended by a signal, with patches.
bool is_to_be_examined(const record::RunRecord& failed);

// `failed` is a serial run that is_to_be_examined().
Examination cross_examine(const record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu,
                          int stop_fd);

}  // namespace snarl::explore
