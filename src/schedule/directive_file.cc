#include "schedule/directive_file.h"

#include <fmt/format.h>

#include <charconv>

#include "base/hash.h"

namespace snarl {
namespace {

constexpr std::string_view kHeader = "snarl-directive";
constexpr std::string_view kStart = "start";
constexpr uint64_t kNowhere = 1;  // no return address

std::string event_text(const char* role, const NamedEvent& event) {
  std::string thread = "main";
  for (uint32_t child : event.thread) thread += fmt::format("/{}", child);
  if (event.file.empty()) return fmt::format("{} {} {}\n", role, thread, kStart);
  return fmt::format("{} {} {}+0x{:x} {}{}\n", role, thread, event.file, event.offset, event.nth & ~kAfterCall,
                     (event.nth & kAfterCall) != 0 ? " after" : "");
}

template <typename T>
bool number(std::string_view text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
    const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool parse_thread(std::string_view text, std::vector<uint32_t>& thread) {
  if (!text.starts_with("main")) return false;
  text.remove_prefix(4);
  while (!text.empty()) {
    const size_t end = std::min(text.find('/', 1), text.size());
    uint32_t child = 0;
    if (text[0] != '/' || !number(text.substr(1, end - 1), child) || child == 0) return false;
    thread.push_back(child);
    text.remove_prefix(end);
  }
  return true;
}

bool parse_place(std::string_view text, NamedEvent& event) {
  const size_t plus = text.rfind("+0x");
  if (plus == 0 || plus == text.npos) return false;
  event.file = text.substr(0, plus);
  return number(text.substr(plus + 3), event.offset, 16);
}

// Empty, or what is wrong.
std::string parse_event(const std::vector<std::string_view>& words, NamedEvent& event) {
  const bool start = words.size() == 3 && words[2] == kStart;
  const bool after = words.size() == 5 && words[4] == "after";
  if (words.size() != 4 && !after && !start)
    return fmt::format("expected: {} THREAD FILE+0xOFFSET OCCURRENCE", words[0]);
  if (!parse_thread(words[1], event.thread))
    return fmt::format("'{}' is no thread: expected main, main/1, main/2/1, ...", words[1]);
  if (start) return event.thread.empty() ? "main has no start in a run" : "";
  if (!parse_place(words[2], event)) return fmt::format("'{}' is no place: expected FILE+0xOFFSET", words[2]);
  if (!number(words[3], event.nth) || event.nth == 0 || event.nth >= kAfterCall)
    return fmt::format("'{}' is no occurrence: expected 1, 2, ...", words[3]);
  if (after) event.nth |= kAfterCall;
  return {};
}

std::string parse_header(const std::vector<std::string_view>& words) {
  uint32_t version = 0;
  if (words.size() != 2 || words[0] != kHeader || !number(words[1], version))
    return fmt::format("expected: {} {}", kHeader, kDirectiveVersion);
  if (version != kDirectiveVersion) return fmt::format("version {} of the format is not known here", version);
  return {};
}

std::string parse_line(const std::vector<std::string_view>& words, Directive& directive) {
  std::vector<NamedConstraint>& all = directive.constraints;
  NamedEvent event;
  if (words[0] != "target" && words[0] != "source") return fmt::format("'{}' is neither target nor source", words[0]);
  if (const std::string wrong = parse_event(words, event); !wrong.empty()) return wrong;
  if (words[0] == "target") {
    all.push_back({event, {}});
    return all.size() > kMaxConstraints ? fmt::format("more than {} targets", kMaxConstraints) : "";
  }
  if (all.empty()) return "a source comes after its target";
  all.back().sources.push_back(event);
  return all.back().sources.size() > kMaxSources ? fmt::format("more than {} sources", kMaxSources) : "";
}

uint64_t name_of_thread(const std::vector<uint32_t>& thread) {
  uint64_t name = kMainName;
  for (uint32_t child : thread) name = name_of_child(name, child - 1);
  return name;
}

DirectedEvent event_for(const NamedEvent& event, std::span<const LoadedModule> modules) {
  if (event.file.empty()) return {name_of_thread(event.thread), kStartPlace, 1};
  for (const LoadedModule& module : modules)
    if (module.path.substr(module.path.rfind('/') + 1) == event.file)
      return {name_of_thread(event.thread), module.bias + event.offset, event.nth};
  return {name_of_thread(event.thread), kNowhere, event.nth};
}

}  // namespace

std::string write_directive(const Directive& directive) {
  std::string text = fmt::format("{} {}\n", kHeader, kDirectiveVersion);
  for (const NamedConstraint& constraint : directive.constraints) {
    text += event_text("target", constraint.target);
    for (const NamedEvent& source : constraint.sources) text += event_text("source", source);
  }
  return text;
}

Expected<Directive> parse_directive(std::string_view text, std::string_view file) {
  Directive directive;
  bool begun = false;
  for (size_t number_of_line = 1; !text.empty(); ++number_of_line) {
    const size_t end = text.find('\n');
    const std::vector<std::string_view> words = words_of(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (words.empty()) continue;
    const std::string wrong = begun ? parse_line(words, directive) : parse_header(words);
    if (!wrong.empty())
      return Error{fmt::format("{}:{}: {}", file, number_of_line, wrong), "docs/formats/directive.md has the format",
                   2};
    begun = true;
  }
  if (directive.constraints.empty())
    return Error{fmt::format("{}: a directive without a target", file), "docs/formats/directive.md has the format", 2};
  return directive;
}

std::vector<Constraint> constraints_for(const Directive& directive, std::span<const LoadedModule> modules) {
  std::vector<Constraint> constraints;
  for (const NamedConstraint& named : directive.constraints) {
    Constraint& constraint = constraints.emplace_back();
    constraint.target = event_for(named.target, modules);
    for (const NamedEvent& source : named.sources)
      constraint.sources[constraint.source_count++] = event_for(source, modules);
  }
  return constraints;
}

}  // namespace snarl
