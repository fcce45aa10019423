// The outputs of `snarl run`. A new one is one file that defines a class and the function that makes it, and one row of
// the table in emitters.cc.
#pragma once

#include <memory>

#include "cli/run_options.h"
#include "explore/campaign/store.h"
#include "report/emitter.h"

namespace snarl::cli {

// What an emitter may need. Must outlive it.
struct EmitterSetup {
  const RunOptions& options;
  explore::Store& store;
};

// All that the options ask for.
report::Emitters make_emitters(const EmitterSetup& setup);

std::unique_ptr<report::Emitter> make_progress_emitter(const EmitterSetup& setup);  // on stderr
std::unique_ptr<report::Emitter> make_store_emitter(const EmitterSetup& setup);     // the output folder
std::unique_ptr<report::Emitter> make_text_emitter(const EmitterSetup& setup);      // on stdout, at the end
std::unique_ptr<report::Emitter> make_json_emitter(const EmitterSetup& setup);      // likewise
std::unique_ptr<report::Emitter> make_files_emitter(const EmitterSetup& setup);  // SARIF, JUnit, Markdown, annotations

}  // namespace snarl::cli
