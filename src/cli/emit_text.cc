// What the user reads on stdout at the end: all findings, and what they mean.
#include <unistd.h>

#include <vector>

#include "cli/emitters.h"
#include "cli/lost_finding.h"
#include "cli/terminal.h"
#include "report/text/finding.h"

namespace snarl::cli {
namespace {

class TextEmitter final : public report::Emitter {
 public:
  explicit TextEmitter(ColorMode color) : color_(color) {}

  Status finding(const report::Found& found) override {
    findings_.push_back(found.finding);
    return Done{};
  }
  void lost(const report::Found& found) override {
    lost_ += lost_finding_text(found, text_options(STDOUT_FILENO, color_));
  }
  Status end(const report::Summary& summary, const report::Ending& ending) override {
    const report::TextOptions options = text_options(STDOUT_FILENO, color_);
    std::string text = lost_;
    for (const report::Finding& finding : findings_) text += report::finding_text(finding, options) + "\n";
    if (ending.tested) show(text + report::summary_text(summary, options));
    return Done{};
  }

 private:
  ColorMode color_;
  std::vector<report::Finding> findings_;
  std::string lost_;
};

}  // namespace

std::unique_ptr<report::Emitter> make_text_emitter(const EmitterSetup& setup) {
  return std::make_unique<TextEmitter>(setup.options.color);
}

}  // namespace snarl::cli
