#include "coseq/results.h"

#include <fmt/format.h>

#include "cli/emitters.h"
#include "cli/output_files.h"
#include "cli/terminal.h"

namespace snarl::coseq {

Results::Results(const cli::RunOptions& options, explore::Store store, Shows shows)
    : options_(options), store_(std::move(store)) {
  const cli::EmitterSetup setup{options_, store_};
  if (shows == Shows::kReport) {
    emitters_ = cli::make_emitters(setup);
    return;
  }
  emitters_.add(cli::make_store_emitter(setup));
  emitters_.add(cli::make_progress_emitter(setup));
  emitters_.add(cli::make_files_emitter(setup));
}

Expected<std::unique_ptr<Results>> Results::begin(const cli::RunOptions& options,
                                                  const std::vector<std::string>& command, Shows shows) {
  if (Status begun = cli::begin_output_files(options.files, command); !begun) return begun.error();
  Expected<explore::Store> store = explore::Store::open(options.output);
  if (!store) return store.error();
  return std::unique_ptr<Results>(new Results(options, std::move(*store), shows));
}

void Results::tell_seed(uint64_t seed) const {
  cli::tell(fmt::format("snarl: seed 0x{:x}, results in {}\n", seed, store_.path()));
  if (store_.path() != options_.output) cli::tell(fmt::format("snarl: another run writes to {}\n", options_.output));
  if (!store_.previous().empty())
    cli::tell(fmt::format("snarl: findings of an earlier run are in {}\n", store_.previous()));
}

std::string Results::folder_of(const report::Finding& finding) const {
  return store_.folder_of(report::folder_name(finding, report::kind_of(finding)));
}

int Results::end(report::Summary summary, report::Ending ending) {
  summary.output = store_.path();
  if (const int number = interrupt_.taken(); number != 0) {
    summary.interrupted = true;
    ending.exit_code = 128 + number;
    ending.problem = Error{"interrupted before everything was tried"};
  }
  const Status ended = emitters_.end(summary, ending);
  if (!ended) cli::complain(ended.error());
  if (ending.problem && !summary.interrupted) cli::complain(*ending.problem);
  return ending.exit_code == 0 && !ended ? ended.error().exit_code : ending.exit_code;
}

}  // namespace snarl::coseq
