// Is a failure the program's own doing, or that of our patches? It is made once more with the program's bytes untouched
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

// A serial run with patches that ended by a signal, a failed assertion or check, or an exit code; not by a sanitizer.
bool is_to_be_examined(const record::RunRecord& failed);

// `failed` is_to_be_examined(). Stepping may take too long: a crash is open then, as a wrong patch mostly crashes; a
// failed assertion or an exit code stands.
Examination cross_examine(const record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu,
                          const Stop& stop);

}  // namespace snarl::explore
