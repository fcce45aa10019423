#include "cli/emitters.h"

namespace snarl::cli {
namespace {

struct Row {
  std::unique_ptr<report::Emitter> (*make)(const EmitterSetup& setup);
  bool (*is_wanted)(const RunOptions& options);
};

bool always(const RunOptions&) { return true; }

// In the order in which they are told: a finding is on disk before the user hears of its folder, and the line of
// progress is off the screen before the report is on it.
constexpr Row kEmitters[] = {
    {make_store_emitter, always},
    {make_progress_emitter, always},
    {make_text_emitter, [](const RunOptions& options) { return !options.json && !options.files.takes_stdout(); }},
    {make_json_emitter, [](const RunOptions& options) { return options.json; }},
    {make_files_emitter, always},
};

}  // namespace

report::Emitters make_emitters(const EmitterSetup& setup) {
  report::Emitters emitters;
  for (const Row& row : kEmitters)
    if (row.is_wanted(setup.options)) emitters.add(row.make(setup));
  return emitters;
}

}  // namespace snarl::cli
