#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"
#include "report/text/finding.h"
#include "report/text/paint.h"
#include "report/text/policy_table.h"
#include "schedule/epochs.h"

namespace snarl::report {
namespace {

constexpr size_t kMinWidth = 60;
constexpr size_t kMaxNotes = 3;
constexpr const char* kDefaultOutput = "snarl-out";  // where `snarl replay` looks up numbers

std::string plural(uint64_t n, const char* word) { return counted(n, word, std::string(word) + "s"); }

class SummaryReport {
 public:
  SummaryReport(const Summary& summary, const TextOptions& options)
      : s_(summary), width_(std::max(options.width, kMinWidth)), paint_(options.color) {}

  std::string text() {
    first_line();
    for (const SummaryFinding& f : s_.findings) finding(f);
    if (s_.findings.empty()) meaning();
    if (has_table())
      out_ += policy_table(s_);
    else if (!s_.policy.empty())
      policies();
    coverage();
    last_lines();
    return std::move(out_);
  }

 private:
  bool has_table() const { return s_.keep_going && s_.schedules > 0; }
  bool has_point(const char* name) const { return std::ranges::find(s_.points, name) != s_.points.end(); }

  // A list item; what does not fit goes on below its first word.
  void item(const std::string& text) {
    std::string line = "  ";
    size_t used = 2;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      if (used > 2 && used + columns(word) + 1 > width_)
        line += "\n    ", used = 4;
      else if (used > 2)
        line += ' ', ++used;
      line += word;
      used += columns(word);
      at = end + 1;
    }
    out_ += line + "\n";
  }

  // An item of several parts, which are kept whole where they fit in a line.
  void item(const std::vector<std::string>& parts) {
    std::string line;
    const auto flush = [&] { out_ += line.empty() ? "" : line + "\n"; };
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string part = parts[i] + (i + 1 < parts.size() ? "," : "");
      if (columns(part) + 4 > width_) return item(fmt::format("{}", fmt::join(parts, ", ")));
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string part = parts[i] + (i + 1 < parts.size() ? "," : "");
      const bool fits = !line.empty() && columns(line) + 1 + columns(part) <= width_;
      if (!fits) flush();
      line = fits ? line + " " + part : (i == 0 ? "  " : "    ") + part;
    }
    flush();
  }

  void first_line() {
    // Of parallel runs nobody knows.
    const std::string distinct =
        s_.distinct_schedules == 0 ? "" : fmt::format(" ({} distinct)", grouped(s_.distinct_schedules));
    const std::string ran = plural(s_.schedules, "schedule") + " in " + duration(s_.seconds) + distinct;
    const bool nothing = s_.findings.empty() && s_.unconfirmed == 0;
    const std::string found = nothing && s_.schedules == 0 ? "Nothing tested"
                              : nothing                    ? "Nothing found"
                              : s_.findings.empty()        ? plural(s_.unconfirmed, "unconfirmed failure")
                                                           : plural(s_.findings.size(), "finding");
    const std::string stopped = s_.interrupted ? ", interrupted" : "";
    out_ += paint_(s_.findings.empty() ? Color::kBold : Color::kRed, found + ": " + ran + stopped) + "\n";
  }

  std::string again(const SummaryFinding& f) const {
    if (f.folder.empty()) return "not stored";
    const bool numbered = s_.output == kDefaultOutput || s_.output.empty();
    return "snarl replay " + printable(numbered ? f.id : f.folder);
  }

  void finding(const SummaryFinding& f) {
    const std::string place = f.summary.empty() ? f.kind + " " + f.place : f.summary;
    const std::string left = printable(f.id + "  " + place);
    const std::string right =
        fmt::format("{}, {}{}   {}", plural(f.schedules, "schedule"), counted(f.switches, "switch", "switches"),
                    f.confirmed ? "" : ", not confirmed", again(f));
    const bool fits = columns(left) + columns(right) + 5 <= width_;
    out_ += "  " + shortened(left, width_ - 2) + (fits ? "   " : "\n        ") + shortened(right, width_ - 8) + "\n";
    // Whole, however long: it is there to be copied.
    if (f.folder.empty())
      out_ += fmt::format("        --seed {:#x} -n {}{} finds it again\n", f.seed, f.index + 1,
                          s_.keep_going ? " --keep-going" : "");
    if (s_.keep_going && s_.policy.size() > 1) found_by(f);
  }

  void found_by(const SummaryFinding& f) {
    std::vector<std::string> parts;
    for (const FoundBy& by : f.found_by)
      parts.push_back(fmt::format("{} {}", printable(by.policy), grouped(by.schedules)));
    if (!parts.empty()) out_ += fmt::format("        found by {}\n", fmt::join(parts, ", "));
  }

  // What "nothing" is worth: the best bound of each depth.
  void meaning() {
    std::vector<const Bound*> best;
    for (const Bound& b : s_.bound) {
      if (b.probability == 0) continue;
      const auto same = std::ranges::find(best, b.depth, &Bound::depth);
      if (same == best.end())
        best.push_back(&b);
      else if ((*same)->probability < b.probability)
        *same = &b;
    }
    std::ranges::sort(best, {}, &Bound::depth);
    for (const Bound* b : best)
      item(fmt::format(
          "a bug of depth {} that shows within {} of at most {}, without {}, would have been found with probability "
          ">= {} ({}{})",
          b->depth, plural(b->steps, "step"), plural(b->threads, "thread"), excluded(*b), bound_text(b->probability),
          plural(b->counted, "run"), shares(*b)));
    if (!best.empty()) return;
    if (s_.failing_schedules > 0 || s_.unconfirmed > 0 || !s_.suppressions.empty())
      item("no bound: a run that failed may have hidden another bug");
    else if (s_.schedules == 0)
      item("no bound: no schedule came to its end");
    else if (!s_.bound.empty() && std::ranges::all_of(s_.bound, [](const Bound& b) { return b.counted == 0; }))
      item(fmt::format("no bound: no schedule was one of {}, which has a guarantee: more of them have some (-n, -t)",
                       s_.bound.front().policy));
    else if (!s_.bound.empty())
      item("no bound: with this fairness no run is left to the policy");
    else
      item("no bound: none of the policies has a guarantee; pct has one (-p pct:depth=2)");
  }

  // The mechanisms that a bug of the class does not need. Starvation steps are part of the probability.
  static std::string excluded(const Bound& b) {
    std::vector<std::string> list{"a time-out"};
    if (b.passed_over > 0) list.emplace_back("a thread passed over");
    if (b.watchdog > 0) list.emplace_back("the watchdog");
    std::string text = list.front();
    for (size_t i = 1; i < list.size(); ++i) text += (i + 1 < list.size() ? ", " : " or ") + list[i];
    return text;
  }

  // "; 4 % met a time-out; 1 % passed a thread over", of those that there were.
  static std::string shares(const Bound& b) {
    std::string text;
    const auto share = [&](uint64_t runs, const char* what) {
      if (runs > 0)
        text += fmt::format("; {} {}", percent_text(static_cast<double>(runs) / static_cast<double>(b.counted)), what);
    };
    share(b.time_out, "met a time-out");
    share(b.passed_over, "passed a thread over");
    share(b.watchdog, "met the watchdog");
    return text;
  }

  void atomic_sites() {
    const AtomicSites& sites = s_.atomic_sites;
    std::vector<std::string> parts;
    if (sites.found > 0)
      parts.push_back(fmt::format("atomic points: {} of {} sites; atomic loads and plain stores are not among them",
                                  grouped(sites.patched), grouped(sites.found)));
    if (sites.disputed > 0)
      parts.push_back(fmt::format("{} left alone, as they may be no instructions", grouped(sites.disputed)));
    if (sites.refused_files > 0)
      parts.push_back(fmt::format("the code of {} can't be changed here", plural(sites.refused_files, "file")));
    if (sites.unread_files > 0)
      parts.push_back(fmt::format("{} could not be scanned", plural(sites.unread_files, "file")));
    if (!parts.empty()) item(parts);
  }

  void unpatched() {
    for (const UnpatchedFile& f : s_.unpatched)
      item(fmt::format("{} has no atomic points: snarl's patches made it fail ({}), and were taken out",
                       printable(f.file), f.why));
  }

  void spin_loops() {
    for (const SpinLoop& loop : s_.spin_loops) {
      const std::string in = loop.function.empty() ? "" : " in " + printable(loop.function);
      item(fmt::format("a thread spins at {}{}, in a loop without a schedule point: {}", printable(loop.place), in,
                       loop.is_point ? "its load is a point in later schedules"
                                     : "such schedules are slow, and may not repeat; a sched_yield() there, or a build "
                                       "with snarl c++, makes it one"));
    }
  }

  void named_functions() {
    const NamedFunctionsSeen& named = s_.named_functions;
    if (named.found == 0) return;
    const std::string rest = named.patched == named.found
                                 ? ""
                                 : fmt::format(" ({} could not be patched)", grouped(named.found - named.patched));
    const bool counts_calls = std::ranges::any_of(
        s_.policy, [](const PolicyCount& p) { return p.policy.starts_with("speed:events=function"); });
    item(fmt::format("{}: {}{}; copies that were inlined are not seen",
                     counts_calls ? "calls are counted at functions and slots of libraries" : "named functions",
                     grouped(named.patched), rest));
  }

  void memory_points() {
    if (s_.all_memory.schedules > 0)
      item(fmt::format("{} of the schedules had points at all memory accesses (memory:all; {} at most)",
                       grouped(s_.all_memory.schedules), plural(s_.all_memory.steps, "step")));
    else if (s_.all_memory.steps > kMostAllMemorySteps)
      item(fmt::format("no schedule had points at all memory accesses (memory:all): about {} would be too many",
                       plural(s_.all_memory.steps, "step")));
    if (has_point("memory") || has_point("memory:all")) return;
    const bool atomics = s_.atomic_sites.found > 0;
    item(fmt::format("memory points off: races on plain variables{} between two points can't be seen",
                     atomics ? ", atomic loads and stores" : ""));
    if (s_.findings.empty() || atomics) item("for those, build with snarl c++ -O1 -g");
  }

  void memory_order() {
    const bool atomics = s_.atomic_sites.found > 0 || has_point("memory") || has_point("memory:all");
    if (s_.findings.empty() && atomics)
      item("atomics take effect in one order for all threads: what only weak memory orders allow can't be seen");
  }

  void coverage() {
    item(fmt::format("schedule points: {}; {} and {} at most", fmt::join(s_.points, ", "), plural(s_.threads, "thread"),
                     plural(s_.steps, "step")));
    orders();
    atomic_sites();
    unpatched();
    spin_loops();
    named_functions();
    memory_points();
    memory_order();
    for (const Obeyed& o : s_.obeyed)
      item(fmt::format("{}: satisfied {}, violated {}, dead ends {}, open {}", printable(o.policy),
                       grouped(o.satisfied), grouped(o.violated), grouped(o.dead_end), grouped(o.open)));
    chosen_deadlines();
    repeatability();
    suppressions();
    notes();
    if (s_.unconfirmed > 0)
      item(plural(s_.unconfirmed, "failure") + " did not fail again in a fresh process (unconfirmed)");
    too_long();
    if (s_.exhausted) item(exhausted());
    if (s_.lost > 0) item(plural(s_.lost, "run") + " ended without telling how");
  }

  void orders() {
    if (s_.orders.schedules != 0) item(orders_text(s_.orders, s_.schedules));
  }

  void too_long() {
    if (s_.too_long == 0) return;
    item(fmt::format("{} of {} took more than {}, and are no verdict (--steps {} gives more)", grouped(s_.too_long),
                     plural(s_.schedules, "schedule"), plural(s_.step_budget, "step"), enough_steps(s_)));
  }

  static std::string exhausted() {
    return "exhausted: no policy has more schedules, or drew a new one in 6,908 in a row (less than 0.1 % of what it "
           "draws "
           "is unseen, with 99.9 % confidence)";
  }

  void chosen_deadlines() {
    const ChosenDeadlines& chosen = s_.chosen_deadlines;
    if (chosen.deadlines == 0) return;
    item(fmt::format("{} came by choice while a thread could run, in {}", plural(chosen.deadlines, "deadline"),
                     plural(chosen.schedules, "schedule")));
  }

  void repeatability() {
    if (s_.repeatable.of == 0) return item("replay determinism was not checked");
    const bool all = s_.repeatable.same == s_.repeatable.of;
    item(fmt::format("replay determinism {} of {}{}", s_.repeatable.same, s_.repeatable.of,
                     all ? "" : ": the program does not only depend on its schedule"));
  }

  void suppressions() {
    uint64_t findings = 0, schedules = 0;
    for (const SummarySuppression& s : s_.suppressions) findings += s.findings, schedules += s.schedules;
    if (findings > 0)
      item(fmt::format("{} suppressed, in {} ({})", plural(findings, "finding"), plural(schedules, "schedule"),
                       printable(s_.suppressions_file)));
    for (const SummarySuppression& s : s_.suppressions)
      if (s.findings == 0)
        item(fmt::format("unused suppression {}:{}: {}", printable(s_.suppressions_file), s.line, printable(s.text)));
  }

  void notes() {
    for (size_t i = 0; i < s_.notes.size() && i < kMaxNotes; ++i)
      item(fmt::format("note: {} ({})", printable(s_.notes[i].text), plural(s_.notes[i].schedules, "schedule")));
    if (s_.notes.size() > kMaxNotes) item(plural(s_.notes.size() - kMaxNotes, "further note") + " in summary.json");
  }

  void policies() {
    std::vector<std::string> names;
    for (const PolicyCount& p : s_.policy) names.push_back(printable(p.policy));
    item(fmt::format("{} {}", names.size() > 1 ? "policies, in turn:" : "policy", fmt::join(names, ", ")));
  }

  void last_lines() {
    item(std::vector{fmt::format("switching {} ({})", printable(s_.switching.kind), printable(s_.switching.why)),
                     fmt::format("reset {} ({})", printable(s_.reset.kind), printable(s_.reset.why)),
                     fmt::format("time {}", printable(s_.time)), fmt::format("seed {:#x}", s_.seed)});
    if (!s_.output.empty()) out_ += "Files:  " + printable(s_.output) + "\n";
  }

  const Summary& s_;
  size_t width_;
  Paint paint_;
  std::string out_;
};

}  // namespace

std::string orders_text(const SeenOrders& orders, uint64_t schedules) {
  const bool all = orders.schedules == schedules;
  const std::string sample = all ? "" : fmt::format(" in {} of the schedules", grouped(orders.schedules));
  const std::string left =
      orders.left == 0 ? "" : fmt::format(", and at least {} left by estimate", grouped(orders.left));
  const std::string quiet =
      is_quiet(orders) ? fmt::format(", no new one in the last {}", plural(orders.quiet, "schedule")) : "";
  return plural(orders.distinct, "partial order") + sample + left + quiet;
}

std::string summary_text(const Summary& summary, const TextOptions& options) {
  return SummaryReport(summary, options).text();
}

}  // namespace snarl::report
