#include "schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schedule/ordinal.h"
#include "schedule/schedule_text.h"
#include "schedule/settings_text.h"

namespace snarl {
namespace {

using Out = std::back_insert_iterator<std::string>;

void write_setting(Out out, const SettingLine& line, const RunSettings& settings) {
  const std::string word = line.text(settings);
  if (line.always || !word.empty()) fmt::format_to(out, "{} {}\n", line.keyword, escaped(word));
}

// A line for each of the output, so that a difference between two files is one that people can read.
void write_expected_output(Out out, std::string_view text) {
  constexpr size_t kLongest = 64 << 10;
  do {
    const size_t end = std::min({text.find('\n'), text.size() - 1, kLongest - 1});
    fmt::format_to(out, "expect-output {}\n", escaped(text.substr(0, end + 1)));
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
}

void write_expectations(Out out, const Expectations& e) {
  if (e.exit_code != 0) fmt::format_to(out, "expect-exit {}\n", e.exit_code);
  if (e.output) write_expected_output(out, *e.output);
  for (const std::string& pattern : e.forbidden) fmt::format_to(out, "fail-on {}\n", escaped(pattern));
}

void write_header(Out out, const Schedule& s) {
  fmt::format_to(out, "snarl-schedule {}\nrules {}\n", kScheduleVersion, s.rules);
  fmt::format_to(out, "program {}\nbuild-id {}\nargv", escaped(s.program), escaped_or_dash(s.build_id));
  for (const std::string& word : s.argv) fmt::format_to(out, " {}", escaped(word));
  fmt::format_to(out, "\n");
  for (const std::string& word : s.start.environment) fmt::format_to(out, "environment {}\n", escaped(word));
  for (const OpenedFile& file : s.start.files)
    fmt::format_to(out, "file {} {:#x} {} {}\n", file.number, file.flags, file.offset, escaped(file.path));
  fmt::format_to(out, "policy {}\nseed {:#x}\nindex {}\n", escaped(s.policy), s.key.seed, s.key.index);
  const Profile& profile = s.key.profile;
  fmt::format_to(out, "epoch {}\nthreads {}\n", profile.epoch, profile.threads);
  if (profile.at_once != 0) fmt::format_to(out, "at-once {}\n", profile.at_once);
  for (const OwnStacks& own : profile.own_stacks)
    if (own.threads != 0)
      fmt::format_to(out, "own-stacks {} {} {} {}\n", own.size, own.guard_size, own.threads, own.at_once);
  fmt::format_to(out, "steps {}\n", profile.steps);
  write_setting(out, setting_lines().front(), s.settings);
  for (const FunctionRule& rule : s.functions) fmt::format_to(out, "function {}\n", escaped(to_text(rule)));
  for (const std::string& file : s.unpatched) fmt::format_to(out, "unpatched {}\n", escaped(file));
  for (const SettingLine& line : setting_lines().subspan(1)) write_setting(out, line, s.settings);
  fmt::format_to(out, "cpus {}\naslr {}\n", s.cpus, s.aslr ? "on" : "off");
  if (s.expectations != nullptr) write_expectations(out, *s.expectations);
  fmt::format_to(out, "failure {}\nsignature {}\n", escaped_or_dash(s.failure), escaped_or_dash(s.signature));
  fmt::format_to(out, "decisions {}\n", s.cut ? "cut" : "all");
}

void write_modules(Out out, const Schedule& s) {
  for (size_t i = 0; i < s.modules.size(); ++i)
    fmt::format_to(out, "module m{} {} {}\n", i, escaped_or_dash(s.modules[i].build_id), escaped(s.modules[i].path));
}

std::string place_text(const Switch& w) {
  return w.module == kNoModule ? "-" : fmt::format("m{}+{:#x}", w.module, w.offset);
}

void write_switch(Out out, const Switch& w) {
  fmt::format_to(out, "switch {} {} {} {} {} {} {}", w.step, ordinal_text(w.from), ordinal_text(w.to),
                 name_of(w.reason), name_of(w.kind), place_text(w), w.nth);
  if (!w.comment.empty()) fmt::format_to(out, "  # {}", comment_text(w.comment));
  *out = '\n';
}

const LoadedModule* module_at(std::span<const LoadedModule> modules, uint64_t pc) {
  const auto found = std::ranges::find_if(modules, [pc](const auto& m) { return m.begin <= pc && pc < m.end; });
  return found == modules.end() ? nullptr : &*found;
}

bool same_module(const ScheduleModule& a, const LoadedModule& b) {
  if (!a.build_id.empty() && !b.build_id.empty()) return a.build_id == b.build_id;
  return a.path == b.path;
}

const LoadedModule* counterpart(const ScheduleModule& module, std::span<const LoadedModule> modules) {
  const auto found = std::ranges::find_if(modules, [&](const auto& m) { return same_module(module, m); });
  return found == modules.end() ? nullptr : &*found;
}

Decision decision_of(const Switch& w) {
  Decision d;
  d.step = w.step;
  d.nth = w.nth;
  d.from = w.from;
  d.to = w.to;
  d.kind = w.kind;
  d.reason = w.reason;
  return d;
}

std::vector<SchedulePlace> in_modules(const Schedule& schedule, std::span<const SharedPlace> places) {
  std::vector<SchedulePlace> found;
  for (const SharedPlace& place : places)
    for (uint32_t m = 0; m < schedule.modules.size(); ++m)
      if (hash_file_name(schedule.modules[m].path.c_str()) == place.module) {
        found.push_back({m, place.offset});
        break;
      }
  return found;
}

std::vector<SharedPlace> shared(const Schedule& schedule, const std::vector<SchedulePlace>& places) {
  std::vector<SharedPlace> result;
  for (const SchedulePlace& p : places)
    if (p.module < schedule.modules.size())
      result.push_back({hash_file_name(schedule.modules[p.module].path.c_str()), p.offset});
  return result;
}

}  // namespace

std::string write_schedule(const Schedule& schedule) {
  std::string text;
  const Out out(text);
  write_header(out, schedule);
  write_modules(out, schedule);
  for (const SchedulePlace& p : schedule.places) fmt::format_to(out, "shared m{}+{:#x}\n", p.module, p.offset);
  for (const SchedulePlace& p : schedule.spin_loads) fmt::format_to(out, "spin m{}+{:#x}\n", p.module, p.offset);
  for (const Switch& w : schedule.switches) write_switch(out, w);
  return text + end_line(schedule.switches.size(), text);
}

std::string build_id_text(std::span<const uint8_t> bytes) {
  std::string text;
  for (uint8_t byte : bytes) fmt::format_to(Out(text), "{:02x}", byte);
  return text;
}

void set_switches(Schedule& schedule, std::span<const Decision> decisions, std::span<const LoadedModule> modules) {
  schedule.modules.clear();
  for (const LoadedModule& m : modules) schedule.modules.push_back({m.path, m.build_id});
  schedule.switches.clear();
  schedule.switches.reserve(decisions.size());
  for (const Decision& d : decisions) {
    Switch w{.step = d.step, .from = d.from, .to = d.to, .reason = d.reason, .kind = d.kind, .nth = d.nth};
    if (const LoadedModule* m = d.pc == 0 ? nullptr : module_at(modules, d.pc)) {
      w.module = static_cast<uint32_t>(m - modules.data());
      w.offset = d.pc - m->bias;
    }
    schedule.switches.push_back(std::move(w));
  }
}

void set_places(Schedule& schedule, std::span<const SharedPlace> places) {
  schedule.places = in_modules(schedule, places);
}

std::vector<SharedPlace> places_of(const Schedule& schedule) { return shared(schedule, schedule.places); }

void set_spin_loads(Schedule& schedule, std::span<const SharedPlace> loads) {
  schedule.spin_loads = in_modules(schedule, loads);
}

std::vector<SharedPlace> spin_loads_of(const Schedule& schedule) { return shared(schedule, schedule.spin_loads); }

std::vector<Decision> decisions_for(const Schedule& schedule, std::span<const LoadedModule> modules) {
  std::vector<const LoadedModule*> here;
  for (const ScheduleModule& m : schedule.modules) here.push_back(counterpart(m, modules));
  std::vector<Decision> decisions;
  decisions.reserve(schedule.switches.size());
  for (const Switch& w : schedule.switches) {
    decisions.push_back(decision_of(w));
    const LoadedModule* m = w.module < here.size() ? here[w.module] : nullptr;
    if (m != nullptr) decisions.back().pc = w.offset + m->bias;
  }
  return decisions;
}

std::vector<std::string> build_differences(const Schedule& schedule, std::span<const LoadedModule> modules) {
  std::vector<std::string> sentences;
  for (const ScheduleModule& m : schedule.modules) {
    if (counterpart(m, modules) != nullptr) continue;
    const bool loaded = std::ranges::any_of(modules, [&](const auto& other) { return other.path == m.path; });
    sentences.push_back(loaded ? m.path + " is another build than the recorded one" : m.path + " is not loaded");
  }
  return sentences;
}

}  // namespace snarl
