#include "cli/replay_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "cli/terminal.h"
#include "explain/diagnose/diagnose.h"
#include "os/read_file.h"
#include "schedule/ordinal.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScheduleFile = "schedule.snarl";

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// findings/0001-... of the output folder for "0001" or "1".
Expected<std::string> numbered(const std::string& number, const std::string& output) {
  const std::string folder = output + "/findings";
  const std::string prefix = fmt::format("{:0>4}-", number);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(prefix)) return (entry.path() / kScheduleFile).string();
  return Error{fmt::format("there is no finding {} in {}", number, folder), {}, 2};
}

Expected<std::string> schedule_path(const std::string& what, const std::string& output) {
  std::error_code error;
  if (is_number(what) && !fs::exists(what, error)) return numbered(what, output);
  const fs::path path = what.empty() ? output : what;
  if (fs::is_regular_file(path, error)) return path.string();
  for (const fs::path& candidate : {path / kScheduleFile, path / "latest" / kScheduleFile})
    if (fs::exists(candidate, error)) return candidate.string();
  if (!fs::exists(path, error))
    return Error{path.string() + " is not there", "name an output folder, a finding's folder or a schedule file", 2};
  const fs::path previous = path / "previous";
  return Error{path.string() + " has no finding to replay",
               fs::exists(previous / "latest", error) ? "an earlier run's: snarl replay " + previous.string() : "", 2};
}

std::string hex_or_none(const std::string& build_id) { return build_id.empty() ? "none" : build_id; }

Expected<explore::Target> given_target(const Schedule& schedule, const std::vector<std::string>& command,
                                       const std::string& search_path) {
  Expected<explore::Target> target = explore::find_target(command, search_path);
  if (target && target->build_id != schedule.build_id)
    tell(fmt::format("snarl: warning: {} is another build than the one that was recorded; trying all the same\n",
                     printable_line(command[0])));
  return target;
}

std::string place_text(const record::RunRecord& record, uint64_t pc, symbolize::Symbolizer& symbolizer) {
  for (const wire::Module& module : record.modules) {
    if (pc < module.begin || pc >= module.end) continue;
    const std::string id = build_id_text({module.build_id, module.build_id_size});
    const symbolize::Place place =
        symbolizer.place({module.path, id}, pc - module.bias, symbolize::PcKind::kReturnAddress);
    const symbolize::Frame& frame = place.frames.front();
    if (frame.line > 0)
      return fmt::format("{}:{} in {}", fs::path(frame.file).filename().string(), frame.line, frame.function);
    return fmt::format("{}+0x{:x}", fs::path(module.path).filename().string(), pc - module.bias);
  }
  return "an unknown place";
}

// What the schedule says for people about a switch, for places that this process does not have.
std::string recorded_place(const Schedule& schedule, const Decision& at) {
  for (const Switch& one : schedule.switches)
    if (one.step == at.step && one.from == at.from && !one.comment.empty()) return printable_line(one.comment);
  return "an unknown place";
}

// "main", "T2", "the timer of T2"
std::string who(uint32_t ordinal) {
  if (is_alarm_ordinal(ordinal)) return "alarm " + ordinal_text(ordinal);
  const uint32_t thread = thread_ordinal(ordinal);
  const std::string name = thread == 0 ? "main" : ordinal_text(thread);
  return is_timer_ordinal(ordinal) ? "the timer of " + name : name;
}

std::string arrival_text(const Decision& at, const std::string& place) {
  if (is_timer_ordinal(at.from)) return who(at.from);
  return fmt::format("{} at {}, {}", who(at.from), name_of(at.kind), place);
}

}  // namespace

Expected<ReplaySource> find_schedule(const std::string& what, const std::string& output) {
  Expected<std::string> path = schedule_path(what, output);
  if (!path) return path.error();
  Expected<std::string> text = os::read_file(*path, 2);
  if (!text) return text.error();
  Expected<Schedule> schedule = parse_schedule(*text, *path);
  if (!schedule) return schedule.error();
  return ReplaySource{*path, std::move(*text), std::move(*schedule)};
}

Expected<explore::Target> replay_target(const Schedule& schedule, const std::vector<std::string>& command,
                                        const std::string& search_path) {
  if (!command.empty()) return given_target(schedule, command, search_path);
  std::vector<std::string> recorded = schedule.argv;
  if (recorded.empty()) recorded.push_back(schedule.program);
  const std::string name = recorded[0];
  recorded[0] = schedule.program;
  Expected<explore::Target> target = explore::find_target(recorded, search_path);
  if (!target) return target;
  if (target->build_id.empty() || target->build_id != schedule.build_id)
    return Error{fmt::format("{} is another build than the one that was recorded (build id {}, recorded {})",
                             schedule.program, hex_or_none(target->build_id), hex_or_none(schedule.build_id)),
                 "to try it all the same, give the command: snarl replay ... -- PROGRAM ARGUMENTS", 2};
  if (target->argv[0] == schedule.program) target->argv[0] = name;
  target->command[0] = name;
  return target;
}

std::string divergence_text(const record::RunRecord& record, const Schedule& schedule,
                            symbolize::Symbolizer& symbolizer) {
  const std::string expected = record.expected.pc == 0 ? recorded_place(schedule, record.expected)
                                                       : place_text(record, record.expected.pc, symbolizer);
  std::string text =
      fmt::format("  step {}: expected {}\n  got {}\n", record.expected.step, arrival_text(record.expected, expected),
                  arrival_text(record.got, place_text(record, record.got.pc, symbolizer)));
  const Decision &a = record.expected, &b = record.got;
  if (a.step == b.step && a.from == b.from && a.kind == b.kind && (a.pc == 0 || a.pc == b.pc))
    text += fmt::format("  as expected, but {}, which is to go on there, can't\n", who(a.to));
  if (!record.message.empty()) text += "  " + printable_line(record.message) + "\n";
  return text;
}

}  // namespace snarl::cli
