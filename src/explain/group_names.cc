#include "explain/group_names.h"

#include <fmt/format.h>

#include <set>

#include "base/nearest.h"
#include "report/finding.h"
#include "report/text/location_text.h"
#include "symbolize/names.h"
#include "symbolize/paths.h"

namespace snarl::explain {
namespace {

bool is_part_of(std::string_view text, std::string_view whole) {
  return text.starts_with(whole) &&
         (text.size() == whole.size() || text[whole.size()] == '.' || text[whole.size()] == '[');
}

}  // namespace

report::Location location_of(const symbolize::Frame& frame, const record::FileAddress& address,
                             const std::string& directory) {
  report::Location l;
  l.function = symbolize::short_function_name(frame.function);
  l.path = frame.file;
  l.file = frame.file.empty() ? "" : symbolize::display_path(frame.file, directory);
  l.line = frame.line;
  l.module = symbolize::base_name(address.path);
  l.offset = address.offset;
  return l;
}

Expected<record::GroupNames> groups_named(std::string_view name, const std::map<uint64_t, record::EventGroup>& groups) {
  constexpr size_t kMostShown = 12;
  record::GroupNames found;
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

std::string GroupText::place(const record::FileAddress& address) {
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

std::string GroupText::variable(const record::FileAddress& address, uint64_t name) {
  if (address.path.empty()) return fmt::format("object {:08x}", name >> 32);
  const auto found = symbolizer_.variable({address.path, address.build_id}, address.offset);
  if (const std::string known = found ? symbolize::short_variable_name(found->name) : ""; !known.empty()) return known;
  return fmt::format("{}+0x{:x}", symbolize::base_name(address.path), address.offset);
}

std::string GroupText::operator()(const record::EventGroup& group) {
  if (group.by == GroupBy::kVariable) return variable(group.address, group.name);
  std::string text = place(group.address);
  for (const record::FileAddress& caller : group.callers) text += " < " + place(caller);
  return text;
}

}  // namespace snarl::explain
