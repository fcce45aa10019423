#include "explain/sanitizer_report.h"

#include <charconv>
#include <optional>

#include "symbolize/names.h"
#include "symbolize/paths.h"

namespace snarl::explain {
namespace {

constexpr std::string_view kAsan = "AddressSanitizer: ", kUbsan = "UndefinedBehaviorSanitizer: ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "freed by thread T2 here:" is T2's deed; empty: no such line.
std::optional<report::FindingDeed> deed_of(std::string_view line) {
  constexpr std::string_view kBy = " by thread T", kHere = " here:";
  const size_t by = line.find(kBy);
  if (by == line.npos || !line.ends_with(kHere)) return std::nullopt;
  const bool allocated = line.starts_with("previously allocated") || line.starts_with("allocated");
  if (!allocated && !line.starts_with("freed")) return std::nullopt;
  report::FindingDeed deed{allocated ? report::DeedKind::kAllocated : report::DeedKind::kFreed, 0};
  std::from_chars(line.data() + by + kBy.size(), line.data() + line.size(), deed.thread);
  return deed;
}

// "#1 0x55ef in use(S*) /src/f.cc:12:3" or "#0 0x55ef in free (/lib/libasan.so.8+0xb)".
bool read_frame(std::string_view line, const std::string& directory, report::Location& frame) {
  constexpr std::string_view kIn = " in ";
  line = trimmed(line);
  const size_t in = line.find(kIn);
  if (!line.starts_with('#') || in == line.npos) return false;
  line.remove_prefix(in + kIn.size());
  const size_t source = line.find(" /"), module = line.find(" (/");
  frame.function = symbolize::short_function_name(std::string(line.substr(0, std::min(source, module))));
  if (source == line.npos || source > module) {
    frame.system = true;
    return true;
  }
  const std::string_view place = line.substr(source + 1);
  const size_t colon = place.find(':');
  frame.path = std::string(place.substr(0, colon));
  frame.file = symbolize::display_path(frame.path, directory);
  frame.system = symbolize::is_system_source(frame.path) || frame.function.starts_with("snarl::");  // that calls main
  if (colon != place.npos) std::from_chars(place.data() + colon + 1, place.data() + place.size(), frame.line);
  return true;
}

void set_place(report::FindingDeed& deed) {
  for (const report::Location& frame : deed.stack)
    if (!frame.system) {
      deed.place = frame;
      return;
    }
}

}  // namespace

bool is_sanitizers(const record::RunRecord& record) {
  return record.outcome == OutcomeKind::kCheck &&
         (record.message.starts_with(kAsan) || record.message.starts_with(kUbsan));
}

std::string sanitizer_error(std::string_view message) {
  message.remove_prefix(std::min(message.find(": ") + 2, message.size()));
  return std::string(message.substr(0, message.find(',')));
}

std::string sanitizer_identity(std::string_view message) {
  const size_t place = message.starts_with(kUbsan) ? message.rfind(" (") : message.npos;
  return sanitizer_error(message) + (place == message.npos ? "" : std::string(message.substr(place)));
}

std::vector<report::FindingDeed> sanitizer_deeds(std::string_view report, const std::string& directory) {
  std::vector<report::FindingDeed> deeds;
  report.remove_prefix(std::min(report.find(kAsan), report.size()));
  for (bool inside = false; !report.empty();) {
    const std::string_view line = next_line(report);
    report::Location frame;
    if (const std::optional<report::FindingDeed> deed = deed_of(line)) {
      deeds.push_back(*deed);
      inside = true;
    } else if (inside && read_frame(line, directory, frame)) {
      deeds.back().stack.push_back(std::move(frame));
    } else {
      inside &= !trimmed(line).empty();  // what a symbolizer complains of may stand between
    }
  }
  for (report::FindingDeed& deed : deeds) set_place(deed);
  return deeds;
}

std::string without_shadow(const std::string& report) {
  return report.substr(0, report.find("Shadow bytes around the buggy address"));
}

}  // namespace snarl::explain
