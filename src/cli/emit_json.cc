// summary.json on stdout, for programs.
#include "cli/emitters.h"
#include "cli/terminal.h"

namespace snarl::cli {
namespace {

class JsonEmitter final : public report::Emitter {
 public:
  Status end(const report::Summary& summary, bool tested) override {
    if (tested) show(report::summary_json_text(summary));
    return Done{};
  }
};

}  // namespace

std::unique_ptr<report::Emitter> make_json_emitter(const EmitterSetup&) { return std::make_unique<JsonEmitter>(); }

}  // namespace snarl::cli
