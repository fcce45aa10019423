// summary.json on stdout, for programs; on stderr, for people, what could not be stored.
#include "cli/emitters.h"
#include "cli/lost_finding.h"
#include "cli/terminal.h"

namespace snarl::cli {
namespace {

class JsonEmitter final : public report::Emitter {
 public:
  void lost(const report::Found& found) override { lost_ += lost_finding_text(found, {}); }
  Status end(const report::Summary& summary, const report::Ending& ending) override {
    tell(lost_);
    if (ending.tested) show(report::summary_json_text(summary));
    return Done{};
  }

 private:
  std::string lost_;
};

}  // namespace

std::unique_ptr<report::Emitter> make_json_emitter(const EmitterSetup&) { return std::make_unique<JsonEmitter>(); }

}  // namespace snarl::cli
