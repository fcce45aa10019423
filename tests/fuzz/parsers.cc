// Whatever the bytes are, a parser refuses them with a sentence or understands them; what it understands can be
// written, and means the same when it is read again.
//
//   SNARL_FUZZ=schedule fuzz_parsers corpus/schedule
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "cli/toml.h"
#include "report/formats/finding_json.h"
#include "report/formats/sarif.h"
#include "report/formats/trace_events.h"
#include "report/suppressions.h"
#include "report/text/event_log.h"
#include "report/text/finding.h"
#include "schedule/directive_file.h"
#include "schedule/replay_string.h"
#include "schedule/schedule.h"

namespace {

using namespace snarl;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "ERROR: %s\n", what);
  std::abort();
}

// A refusal says why, in one line, and is the user's mistake.
void check(const Error& error) {
  require(!error.message.empty(), "no reason");
  require(error.message.find('\n') == std::string::npos, "a reason of several lines");
  require(error.exit_code == 2, "not exit code 2");
}

// A changed file is refused for its checksum: with a right one, what stands before it is looked at, too.
std::string with_right_end(std::string_view text) {
  std::string body(text.substr(0, text.rfind("\nend ")));
  if (body.size() < text.size()) body += '\n';
  size_t switches = 0;
  for (size_t at = 0; (at = body.find("\nswitch ", at)) != body.npos; ++at) ++switches;
  char end[64];
  std::snprintf(end, sizeof end, "end %zu %016llx\n", switches, static_cast<unsigned long long>(hash_text(body)));
  return body + end;
}

void read_one_schedule(std::string_view text) {
  const Expected<Schedule> schedule = parse_schedule(text, "f");
  if (!schedule) return check(schedule.error());
  const std::string written = write_schedule(*schedule);
  const Expected<Schedule> again = parse_schedule(written, "f");
  require(static_cast<bool>(again), "what was written can't be read");
  require(write_schedule(*again) == written, "it means something else when it is read again");
}

void read_schedule(std::string_view text) {
  read_one_schedule(text);
  read_one_schedule(with_right_end(text));
}

void read_directive(std::string_view text) {
  const Expected<Directive> directive = parse_directive(text, "f");
  if (!directive) return check(directive.error());
  const std::string written = write_directive(*directive);
  const Expected<Directive> again = parse_directive(written, "f");
  require(again && write_directive(*again) == written, "it means something else when it is read again");
}

// The bytes as a word with a right checksum.
std::string as_word(std::string_view bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string all(bytes);
  const uint64_t hash = hash_text(bytes);
  all += static_cast<char>(hash & 0xff);
  all += static_cast<char>(hash >> 8 & 0xff);
  std::string word = to_replay_string({}).substr(0, 4);
  uint32_t bits = 0, count = 0;
  for (const char c : all) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) word += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) word += kDigits[bits << (6 - count) & 63];
  return word;
}

void read_word(std::string_view text) {
  const Expected<Replay> replay = parse_replay_string(text);
  if (!replay) return check(replay.error());
  const std::string written = to_replay_string(*replay);
  const Expected<Replay> again = parse_replay_string(written);
  require(again && to_replay_string(*again) == written, "it means something else when it is read again");
}

void read_replay(std::string_view text) {
  read_word(text);
  read_word(as_word(text));
}

void read_toml(std::string_view text) {
  const Expected<cli::Toml> toml = cli::parse_toml(text, "f");
  if (!toml) return check(toml.error());
  for (const cli::Setting& setting : toml->settings) {
    require(!setting.key.empty() && setting.line > 0, "a setting without key or line");
    require(setting.type == cli::Setting::Type::kList || setting.values.size() == 1, "not one value");
  }
}

void read_suppressions(std::string_view text) {
  const Expected<std::vector<report::Suppression>> all = report::parse_suppressions(text, "f");
  if (!all) return check(all.error());
  const report::Finding finding;
  for (const report::Suppression& one : *all) (void)report::fits(one, finding);
}

// A stored report is shown again: whatever indices it has.
void read_finding(std::string_view text) {
  const Expected<report::Finding> finding = report::finding_from_json_text(std::string(text));
  if (!finding) return;
  const std::string shown = report::finding_text(*finding);
  require(shown.find('\x1b') == std::string::npos, "a control character");
  (void)report::event_log(*finding, 0);
  (void)report::trace_events_text(*finding);
  const Expected<report::Finding> again = report::finding_from_json_text(report::finding_json_text(*finding));
  require(static_cast<bool>(again), "what was written can't be read");
  require(report::finding_text(*again) == shown, "it means something else when it is read again");
}

struct Parser {
  const char* name;
  void (*read)(std::string_view text);
};
constexpr Parser kParsers[] = {{"schedule", read_schedule}, {"directive", read_directive},
                               {"replay", read_replay},     {"toml", read_toml},
                               {"finding", read_finding},   {"suppressions", read_suppressions}};

const Parser& chosen() {
  const char* name = std::getenv("SNARL_FUZZ");
  for (const Parser& parser : kParsers)
    if (name != nullptr && std::strcmp(name, parser.name) == 0) return parser;
  std::fprintf(stderr, "ERROR: SNARL_FUZZ names no parser\n");
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  static const Parser& parser = chosen();
  parser.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
