// The findings in the formats of other programs, at the end: in the output folder, where the options say, and as
// annotations on GitHub.
#include "cli/emitters.h"
#include "cli/lost_finding.h"
#include "cli/output_files.h"
#include "cli/terminal.h"
#include "report/formats/annotations.h"

namespace snarl::cli {
namespace {

class FilesEmitter final : public report::Emitter {
 public:
  explicit FilesEmitter(const EmitterSetup& setup) : options_(setup.options), store_(setup.store) {}

  Status finding(const report::Found& found) override {
    findings_.push_back(found.finding);
    return Done{};
  }
  // It is part of the results all the same. If a format has stdout, no text shows it there.
  void lost(const report::Found& found) override {
    findings_.push_back(found.finding);
    findings_.back().folder.clear();
    if (options_.files.takes_stdout()) lost_ += lost_finding_text(found, {});
  }
  // What somebody asked for comes first: a full disk of the output folder must not keep it from being written.
  Status end(const report::Summary& summary, const report::Ending& ending) override {
    tell(lost_);
    const report::Results results{summary, findings_, ending, options_.files.root};
    Status result = write_output_files(options_.files, results);
    for (const OutputFormat& format : output_formats())
      if (Status written = store_.write_result(format.name, format.text(results)); !written && result) result = written;
    if (options_.annotations) annotate(report::annotations_text(results));
    return result;
  }

 private:
  // The runner reads both streams.
  void annotate(const std::string& text) const {
    options_.json || options_.files.takes_stdout() ? tell(text) : show(text);
  }

  const RunOptions& options_;
  explore::Store& store_;
  std::vector<report::Finding> findings_;
  std::string lost_;
};

}  // namespace

std::unique_ptr<report::Emitter> make_files_emitter(const EmitterSetup& setup) {
  return std::make_unique<FilesEmitter>(setup);
}

}  // namespace snarl::cli
