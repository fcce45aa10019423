// Names for people of the groups of events that noise makers choose from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "record/event_groups.h"
#include "report/finding.h"
#include "symbolize/symbolizer.h"

namespace snarl::explain {

// Those variables whose name for people that is, or of which they are a part ("accounts" has "accounts[1].lock"). An
// error names the nearest ones (exit code 2).
Expected<record::GroupNames> groups_named(std::string_view name, const std::map<uint64_t, record::EventGroup>& groups);

report::Location location_of(const symbolize::Frame& frame, const record::FileAddress& address,
                             const std::string& directory);  // paths are relative to it

// "bank.cc:22 transfer()", "... < main.cc:40 main()", "accounts[1].lock".
class GroupText {
 public:
  explicit GroupText(std::string directory) : directory_(std::move(directory)) {}
  std::string operator()(const record::EventGroup& group);

 private:
  std::string place(const record::FileAddress& address);
  std::string variable(const record::FileAddress& address, uint64_t name);

  symbolize::Symbolizer symbolizer_;
  std::string directory_;  // paths are shown relative to it
};

}  // namespace snarl::explain
