#include "report/text/checkup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/output_tail.h"
#include "report/printable.h"
#include "report/text/paint.h"

namespace snarl::report {
namespace {

constexpr size_t kLabel = 12;       // columns of the words on the left
constexpr size_t kMostOfAKind = 6;  // effects of a kind that are named; the others are counted
constexpr size_t kMinWidth = 60;

std::string joined(const std::vector<std::string>& words, const char* between = ", ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::string times(uint64_t count) { return count == 1 ? "" : fmt::format(" (x{})", grouped(count)); }

class CheckupReport {
 public:
  CheckupReport(const Checkup& checkup, const TextOptions& options)
      : c_(checkup), width_(std::max(options.width, kMinWidth)), paint_(options.color) {}

  std::string text() {
    out_ = paint_(Color::kBold, printable(c_.verdict)) + "\n";
    if (!c_.hint.empty()) out_ += "  hint: " + printable(c_.hint) + "\n";
    out_ += "\n";
    program();
    modules();
    if (!c_.switching.kind.empty()) line("switching", fmt::format("{} ({})", c_.switching.kind, c_.switching.why));
    if (!c_.reset.kind.empty()) line("reset", fmt::format("{} ({})", c_.reset.kind, c_.reset.why));
    controlled();
    observed();
    for (const std::string& note : c_.notes) line("note", note);
    return std::move(out_);
  }

 private:
  // A label and a text, which goes on below itself.
  void line(std::string label, const std::string& text) {
    for (const std::string& part : wrapped(printable(text), width_ - kLabel)) {
      out_ += padded(label, kLabel) + part + "\n";
      label.clear();
    }
  }

  void program() {
    const ProgramFacts& p = c_.program;
    line("program", p.script.empty() ? p.path : fmt::format("{}, the interpreter of {}", p.path, p.script));
    if (p.linking.empty()) return;
    std::vector<std::string> facts{p.linking == "static" ? "statically linked" : "dynamically linked"};
    facts.push_back(p.pie ? "position-independent" : "at a fixed address");
    facts.push_back(p.symbols ? "with symbols" : "without symbols");
    facts.push_back(p.debug_info ? "with debug info" : "without debug info");
    facts.push_back(p.build_id.empty() ? "no build id" : "build id " + p.build_id.substr(0, 12));
    line("", joined(facts));
    if (!p.sanitizers.empty()) line("", "sanitizer inside: " + joined(p.sanitizers));
    if (!p.runtimes.empty()) line("", "runtime: " + joined(p.runtimes));
  }

  void modules() {
    const char* label = "brings";
    for (const ModuleFacts& m : c_.modules) {
      line(label, fmt::format("{}: {}", m.name, joined(m.brings)));
      label = "";
    }
  }

  void controlled() {
    const ControlledRun& r = c_.controlled;
    if (r.outcome.empty()) return;
    line("controlled", fmt::format("one schedule: {}, {}, {}, {}{}", r.outcome, counted(r.threads, "thread", "threads"),
                                   counted(r.steps, "step", "steps"), duration(r.seconds),
                                   r.repeatable ? "" : "; the watchdog had a say"));
  }

  void observed() {
    const ObservedRun& r = c_.observed;
    if (!r.could_not.empty()) line("observed", "not at all: " + r.could_not);
    if (r.ended.empty()) return;
    const bool quiet = r.effects.empty();
    line("observed", fmt::format("one run without control: {}, {}, {}{}", r.ended,
                                 counted(r.threads, "thread", "threads"), duration(r.seconds),
                                 quiet ? "; nothing was seen that outlives it" : "; what every schedule does again:"));
    effects(r);
    inline_calls(r);
  }

  // One line per module.
  void inline_calls(const ObservedRun& r) {
    std::map<std::string, std::vector<std::string>> by_module;
    for (const CheckupCall& call : r.inline_calls) by_module[call.module].push_back(call.call + times(call.times));
    for (auto& [module, calls] : by_module) {
      const size_t more = calls.size() - std::min(calls.size(), kMostOfAKind);
      calls.resize(calls.size() - more);
      line("", fmt::format("{} calls the kernel by itself, not through libc: {}{}", module, joined(calls),
                           more == 0 ? "" : fmt::format(" and {} more", more)));
    }
  }

  // By kind, in the order in which they were seen first.
  void effects(const ObservedRun& r) {
    std::vector<std::string> kinds;
    std::map<std::string, std::vector<std::string>> named;
    std::map<std::string, uint64_t> left_out;
    for (const CheckupEffect& e : r.effects) {
      if (std::ranges::find(kinds, e.kind) == kinds.end()) kinds.push_back(e.kind);
      if (named[e.kind].size() < kMostOfAKind)
        named[e.kind].push_back(e.what + times(e.times));
      else
        ++left_out[e.kind];
    }
    for (const std::string& kind : kinds)
      line("", fmt::format("  {:<12} {}{}", kind, joined(named[kind]),
                           left_out[kind] == 0 ? "" : fmt::format(" and {} more", left_out[kind])));
    if (r.more_effects != 0) line("", fmt::format("  and {} more of any kind", grouped(r.more_effects)));
  }

  const Checkup& c_;
  const size_t width_;
  const Paint paint_;
  std::string out_;
};

}  // namespace

std::string checkup_text(const Checkup& checkup, const TextOptions& options) {
  return CheckupReport(checkup, options).text();
}

}  // namespace snarl::report
