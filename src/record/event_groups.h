// The groups of events that the noise makers choose from: read from the wire, collected and frozen.
// explain/group_names.h names them for people.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "schedule/run.h"
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

}  // namespace snarl::record
