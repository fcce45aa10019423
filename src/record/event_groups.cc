#include "record/event_groups.h"

#include <algorithm>

#include "record/modules.h"
#include "record/wire_reader.h"

namespace snarl::record {
namespace {

FileAddress file_address(uint64_t address, const std::vector<LoadedModule>& modules) {
  for (const LoadedModule& m : modules)
    if (m.begin <= address && address < m.end) return {m.path, m.build_id, address - m.bias};
  return {{}, {}, address};
}

EventGroup group_of(const MetGroup& met, const std::vector<LoadedModule>& modules) {
  EventGroup group{met.name, met.by, file_address(met.address, modules), {}};
  for (uint64_t caller : met.callers)
    if (caller != 0) group.callers.push_back(file_address(caller, modules));
  return group;
}

}  // namespace

std::vector<EventGroup> read_groups(const wire::Layout& layout, std::set<std::pair<GroupBy, uint64_t>>& known) {
  const uint32_t met = *const_cast<const volatile uint32_t*>(&layout.state.met_groups);
  std::vector<LoadedModule> modules;
  std::vector<EventGroup> groups;
  for (uint32_t i = 0; i < std::min(met, wire::kMaxMetGroups); ++i) {
    const MetGroup group = layout.met_groups[i];
    if (group.by >= GroupBy::kCount || !known.emplace(group.by, group.name).second) continue;
    if (modules.empty()) modules = loaded_modules(read_modules(layout));
    groups.push_back(group_of(group, modules));
  }
  return groups;
}

void write_groups(const GroupNames& groups, wire::Layout& layout) {
  layout.command.groups = static_cast<uint32_t>(std::min<size_t>(groups.size(), wire::kMaxGroups));
  std::copy_n(groups.begin(), layout.command.groups, layout.groups);
}

void GroupTable::learn(const std::vector<EventGroup>& groups) {
  for (const EventGroup& group : groups) groups_[static_cast<size_t>(group.by)].try_emplace(group.name, group);
}

std::shared_ptr<const GroupNames> GroupTable::names(GroupBy by) const {
  auto names = std::make_shared<GroupNames>();
  for (const auto& [name, group] : of(by)) names->push_back(name);
  return names;
}

}  // namespace snarl::record
