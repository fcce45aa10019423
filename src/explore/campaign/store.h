// The output folder.
//
// Everything is written under a temporary name, synced and then renamed, so that nothing
// half-written ever has its final name, whatever ends us.
#pragma once

#include <string>

#include "base/error.h"
#include "report/finding.h"

namespace snarl::explore {

inline constexpr const char* kStoredInput = "stdin.txt";  // in a finding's folder, if the program was given any input

// The files of one finding's folder, beside report.txt and report.json.
struct FindingFiles {
  std::string report_text;
  std::string schedule;
  std::string in;  // what the program read; empty: no such file
  std::string out, err;
  std::string replay_script;
  std::string mark;  // explore/campaign/mark.h; empty: no such file
};

class Store {
 public:
  // Makes the folder, or empties one that an earlier run of ours left. A folder that has other
  // things in it, but not our marker, is never touched (exit code 2).
  static Expected<Store> open(const std::string& path);

  // "PATH/findings/0001-deadlock-9c41e0"
  std::string folder_of(const report::Finding& finding) const;

  // Writes findings/<name> and turns `latest` to it.
  Status add(const report::Finding& finding, const FindingFiles& files);
  Status write_summary(const std::string& json);

  const std::string& path() const { return path_; }

 private:
  explicit Store(std::string path) : path_(std::move(path)) {}
  Status point_latest(const std::string& folder);

  std::string path_;
};

}  // namespace snarl::explore
