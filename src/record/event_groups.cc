#include "record/event_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "explain/signature.h"
#include "record/wire_reader.h"
#include "report/finding.h"
#include "report/text/location_text.h"
#include "symbolize/names.h"
#include "symbolize/paths.h"

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

report::Location location_of(const symbolize::Frame& frame, const FileAddress& address, const std::string& directory) {
  report::Location l;
  l.function = symbolize::short_function_name(frame.function);
  l.path = frame.file;
  l.file = frame.file.empty() ? "" : symbolize::display_path(frame.file, directory);
  l.line = frame.line;
  l.module = symbolize::base_name(address.path);
  l.offset = address.offset;
  return l;
}

}  // namespace

std::vector<EventGroup> read_groups(const wire::Layout& layout, std::set<std::pair<GroupBy, uint64_t>>& known) {
  const uint32_t met = *const_cast<const volatile uint32_t*>(&layout.state.met_groups);
  std::vector<LoadedModule> modules;
  std::vector<EventGroup> groups;
  for (uint32_t i = 0; i < std::min(met, wire::kMaxMetGroups); ++i) {
    const MetGroup group = layout.met_groups[i];
    if (group.by >= GroupBy::kCount || !known.emplace(group.by, group.name).second) continue;
    if (modules.empty()) modules = explain::loaded_modules(read_modules(layout));
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

static bool is_part_of(std::string_view text, std::string_view whole) {
  return text.starts_with(whole) &&
         (text.size() == whole.size() || text[whole.size()] == '.' || text[whole.size()] == '[');
}

Expected<GroupNames> groups_named(std::string_view name, const std::map<uint64_t, EventGroup>& groups) {
  constexpr size_t kMostShown = 12;
  GroupNames found;
  std::set<std::string> names;
  GroupText text("");
  for (const auto& [id, group] : groups)
    if (is_part_of(*names.insert(text(group)).first, name)) found.push_back(id);
  if (!found.empty()) return found;
  std::vector<std::string> all(names.begin(), names.end());
  std::vector<std::string> meant = all;  // or a whole of which they are parts
  for (const std::string& part : all) meant.push_back(part.substr(0, part.find_first_of(".[")));
  const std::string near = nearest(name, meant);
  const size_t left_out = all.size() > kMostShown ? all.size() - kMostShown : 0;
  all.resize(all.size() - left_out);
  std::string hint = all.empty() ? "the profiling runs met no variable at a schedule point"
                                 : fmt::format("the profiling runs met: {}", fmt::join(all, ", "));
  if (left_out > 0) hint += fmt::format(" and {} more", left_out);
  if (!near.empty()) hint = fmt::format("did you mean {}? {}", near, hint);
  return Error{fmt::format("no variable at a schedule point is named \"{}\"", name), hint, 2};
}

std::string GroupText::place(const FileAddress& address) {
  if (address.path.empty()) return fmt::format("0x{:x}", address.offset);
  if (symbolize::base_name(address.path).starts_with("libsnarl")) return "return from main";
  const symbolize::Place place =
      symbolizer_.place({address.path, address.build_id}, address.offset, symbolize::PcKind::kReturnAddress);
  std::string text;
  for (const symbolize::Frame& frame :
       place.frames)  // those in line too: they tell the places of one small function apart
    if (!frame.system || &frame == &place.frames.back())
      text += (text.empty() ? "" : " in ") + report::place_and_function(location_of(frame, address, directory_));
  return text;
}

std::string GroupText::variable(const FileAddress& address, uint64_t name) {
  if (address.path.empty()) return fmt::format("object {:08x}", name >> 32);
  const auto found = symbolizer_.variable({address.path, address.build_id}, address.offset);
  if (const std::string known = found ? symbolize::short_variable_name(found->name) : ""; !known.empty()) return known;
  return fmt::format("{}+0x{:x}", symbolize::base_name(address.path), address.offset);
}

std::string GroupText::operator()(const EventGroup& group) {
  if (group.by == GroupBy::kVariable) return variable(group.address, group.name);
  std::string text = place(group.address);
  for (const FileAddress& caller : group.callers) text += " < " + place(caller);
  return text;
}

}  // namespace snarl::record
