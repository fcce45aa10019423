// Where the results of lanes go: the same outputs as those of `snarl run`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/interrupt.h"
#include "cli/run_options.h"
#include "explore/campaign/store.h"
#include "report/emitter.h"

namespace snarl::coseq {

// kNothing: only files and the line of progress, because what is shown is not a summary.
enum class Shows { kReport, kNothing };

class Results {
 public:
  // Takes the output folder. `command`: what was asked for, for the files that say so before there are results.
  static Expected<std::unique_ptr<Results>> begin(const cli::RunOptions& options,
                                                  const std::vector<std::string>& command, Shows shows);

  void tell_seed(uint64_t seed) const;
  void progress(const report::Progress& progress) { emitters_.progress(progress); }
  // The folder of a finding with this name, whatever is in it.
  std::string folder_of(const report::Finding& finding) const;
  std::string path() const { return store_.path(); }
  Status add(const report::Finding& finding, const report::Evidence& evidence) {
    return emitters_.finding({finding, evidence});
  }
  bool is_interrupted() { return interrupt_.taken() != 0; }
  // Writes everything, and says what the problem is, if there is one. Returns the exit code.
  int end(report::Summary summary, report::Ending ending);

 private:
  Results(const cli::RunOptions& options, explore::Store store, Shows shows);

  const cli::RunOptions& options_;
  explore::Store store_;
  cli::Interrupt interrupt_;
  report::Emitters emitters_;
};

}  // namespace snarl::coseq
