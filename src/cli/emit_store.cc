// The output folder: a folder for each finding, and summary.json.
#include "cli/emitters.h"
#include "report/text/finding.h"

namespace snarl::cli {
namespace {

class StoreEmitter final : public report::Emitter {
 public:
  explicit StoreEmitter(explore::Store& store) : store_(store) {}

  Status finding(const report::Found& found) override {
    return store_.add(found.finding, report::finding_text(found.finding), found.evidence);
  }
  Status end(const report::Summary& summary, const report::Ending&) override {
    return store_.write_summary(report::summary_json_text(summary));
  }

 private:
  explore::Store& store_;
};

}  // namespace

std::unique_ptr<report::Emitter> make_store_emitter(const EmitterSetup& setup) {
  return std::make_unique<StoreEmitter>(setup.store);
}

}  // namespace snarl::cli
