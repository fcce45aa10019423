// The output folder.
//
// Everything is written under a temporary name, synced and then renamed, so that nothing
// half-written ever has its final name, whatever ends us.
#pragma once

#include <string>

#include "base/error.h"
#include "explore/campaign/output_folder.h"
#include "report/emitter.h"

namespace snarl::explore {

inline constexpr const char* kStoredInput = "stdin.txt";  // in a finding's folder, if the program was given any input

class Store {
 public:
  // See take_output_folder.
  static Expected<Store> open(const std::string& path);

  // "PATH/findings/0001-deadlock-9c41e0", for a finding of that name.
  std::string folder_of(const std::string& name) const;

  // Writes findings/<name>, with report.txt, report.json and the evidence, and turns `latest` to it.
  Status add(const report::Finding& finding, const std::string& report_text, const report::Evidence& evidence);
  Status write_summary(const std::string& json) { return write_result("summary.json", json); }
  // A file of the folder itself (output_folder.cc has their names).
  Status write_result(const std::string& name, const std::string& text);

  const std::string& path() const { return folder_.path; }
  // Where the findings of an earlier run are; empty: there are none.
  const std::string& previous() const { return folder_.previous; }

 private:
  explicit Store(OutputFolder folder) : folder_(std::move(folder)) {}
  Status point_latest(const std::string& folder);

  OutputFolder folder_;
};

// A folder with a schedule that snarl replay takes; what was there of that kind is replaced.
Status keep_schedule(const std::string& folder, const std::string& schedule, const std::string& input,
                     const std::string& mark);

}  // namespace snarl::explore
