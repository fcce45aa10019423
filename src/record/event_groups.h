// The groups of events that the noise makers choose from: read from the wire, collected, frozen, and named for people.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "schedule/run.h"
#include "symbolize/symbolizer.h"
#include "wire/layout.h"

namespace snarl::record {

// An address as in the file that it belongs to.
struct FileAddress {
  std::string path;  // empty: in no file
  std::string build_id;
  uint64_t offset = 0;  // in no file: the address
};

struct EventGroup {
  uint64_t name = 0;  // stable across runs
  GroupBy by = GroupBy::kPlace;
  FileAddress address;               // the place or the variable
  std::vector<FileAddress> callers;  // kContext: innermost first
};

// Those that a run met and that are not in `known`, which they are added to.
std::vector<EventGroup> read_groups(const wire::Layout& layout, std::set<std::pair<GroupBy, uint64_t>>& known);

using GroupNames = std::vector<uint64_t>;  // in order

// Into the wire, for the next run; what does not fit in is left out.
void write_groups(const GroupNames& groups, wire::Layout& layout);

// All groups met so far. What it holds does not depend on the order in which runs came.
class GroupTable {
 public:
  void learn(const std::vector<EventGroup>& groups);
  const std::map<uint64_t, EventGroup>& of(GroupBy by) const { return groups_[static_cast<size_t>(by)]; }
  std::shared_ptr<const GroupNames> names(GroupBy by) const;

 private:
  std::array<std::map<uint64_t, EventGroup>, kGroupings> groups_;  // by name
};

// Those variables whose name for people that is, or of which they are a part ("accounts" has "accounts[1].lock"). An
// error names the nearest ones (exit code 2).
Expected<GroupNames> groups_named(std::string_view name, const std::map<uint64_t, EventGroup>& groups);

// "bank.cc:22 transfer()", "... < main.cc:40 main()", "accounts[1].lock".
class GroupText {
 public:
  explicit GroupText(std::string directory) : directory_(std::move(directory)) {}
  std::string operator()(const EventGroup& group);

 private:
  std::string place(const FileAddress& address);
  std::string variable(const FileAddress& address, uint64_t name);

  symbolize::Symbolizer symbolizer_;
  std::string directory_;  // paths are shown relative to it
};

}  // namespace snarl::record
