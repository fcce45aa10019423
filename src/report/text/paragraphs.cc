#include "report/text/paragraphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/printable.h"
#include "report/text/location_text.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxLines = 8;  // groups of threads; the others are named in one line

const DocumentThread* thread_named(const FindingDocument& finding, const std::string& name) {
  const auto found = std::ranges::find(finding.threads, name, &DocumentThread::name);
  return found == finding.threads.end() ? nullptr : &*found;
}

const DocumentObject* object_named(const FindingDocument& finding, const std::string& name) {
  const auto found = std::ranges::find(finding.objects, name, &DocumentObject::name);
  return found == finding.objects.end() ? nullptr : &*found;
}

std::string holds_text(const FindingDocument& finding, const DocumentThread& thread) {
  std::string text;
  for (const DocumentHeld& held : thread.holds) {
    const DocumentObject* object = object_named(finding, held.object);
    const std::string kind = text.empty() && object != nullptr ? noun_of(object->kind) + " " : "";
    text += (text.empty() ? "holds " : ", ") + kind + held.object;
    if (!held.how.empty()) text += " for " + held.how;
    if (const std::string place = place_text(held.place); !place.empty()) text += " (" + place + ")";
  }
  return text;
}

// Who has what the thread waits for; nothing if the lines of the other threads show it.
std::string holder_text(const FindingDocument& finding, const DocumentThread& thread, bool always) {
  if (thread.held_by.empty() || thread.waits.ends_with(" " + thread.held_by)) return "";
  if (thread.held_by == thread.name) return " (which it holds itself)";
  const DocumentThread* holder = thread_named(finding, thread.held_by);
  if (holder != nullptr && holder->state == "ended") return " (held by " + thread.held_by + ", which has ended)";
  return always || holder == nullptr || holder->holds.empty() ? " (held by " + thread.held_by + ")" : "";
}

std::string waits_text(const FindingDocument& finding, const DocumentThread& thread, bool always) {
  if (!thread.waits.empty()) return thread.waits + holder_text(finding, thread, always);
  if (thread.pending.starts_with("after ")) return "stopped " + thread.pending;
  return thread.pending.empty() ? "runs" : "is about to " + thread.pending;
}

struct Line {
  std::string who, holds, waits, at;
};

Line line_of(const FindingDocument& finding, const DocumentThread& thread, bool always) {
  return {thread_title(thread), holds_text(finding, thread), waits_text(finding, thread, always),
          place_and_function(thread.place)};
}

struct Widths {
  size_t who = 0, holds = 0, waits = 0, at = 0;

  explicit Widths(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      who = std::max(who, columns(line.who) + 3);
      holds = std::max(holds, line.holds.empty() ? 0 : columns(line.holds) + 3);
      waits = std::max(waits, columns(line.waits) + 3);
      at = std::max(at, columns(line.at));
    }
  }
  size_t total() const { return 2 + who + holds + waits + at; }
};

std::string without_trailing(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string one_line(const Line& line, const Widths& w) {
  return without_trailing("  " + padded(line.who, w.who) + padded(line.holds, w.holds) + padded(line.waits, w.waits) +
                          line.at);
}

std::string two_lines(const Line& line, const Widths& w, size_t width) {
  const size_t indent = std::min<size_t>(w.who, 24) + 2, room = width - indent;
  const std::string gap(indent, ' ');
  std::string text = "  " + padded(shortened(line.who, indent - 3), indent - 2);
  const size_t waits = w.waits + w.at <= room ? w.waits : columns(line.waits) + 3;
  if (!line.holds.empty()) text += shortened(line.holds, room) + "\n" + gap;
  if (waits + columns(line.at) <= room) return text + without_trailing(padded(line.waits, waits) + line.at);
  return text + shortened(line.waits, room) + "\n" + (line.at.empty() ? "" : gap + shortened(line.at, room) + "\n");
}

// Threads that do the same: the workers of a pool are one line.
using Group = std::vector<const DocumentThread*>;

bool is_alike(const DocumentThread& a, const DocumentThread& b) {
  return a.holds.empty() && b.holds.empty() && a.label == b.label && a.waits == b.waits && a.pending == b.pending &&
         place_and_function(a.place) == place_and_function(b.place);
}

std::vector<Group> groups_of(const Threads& threads) {
  std::vector<Group> groups;
  for (const DocumentThread* thread : threads) {
    const auto same = std::ranges::find_if(groups, [&](const Group& g) { return is_alike(*g[0], *thread); });
    if (same == groups.end())
      groups.push_back({thread});
    else
      same->push_back(thread);
  }
  return groups;
}

// "T3 audit", "T3, T4 audit", "T3..T11 audit (9)"
std::string who(const Group& group) {
  const std::string last = thread_title(*group.back());
  if (group.size() == 1) return last;
  if (group.size() == 2) return group[0]->name + ", " + last;
  return fmt::format("{}..{} ({})", group[0]->name, last, group.size());
}

std::vector<Line> lines_of(const FindingDocument& finding, const std::vector<Group>& groups, bool always) {
  std::vector<Line> lines;
  for (const Group& group : groups) {
    if (lines.size() == kMaxLines) break;
    lines.push_back(line_of(finding, *group[0], always));
    lines.back().who = who(group);
  }
  return lines;
}

std::string others(const std::vector<Group>& groups, size_t width) {
  if (groups.size() <= kMaxLines) return "";
  std::string names;
  for (size_t i = kMaxLines; i < groups.size(); ++i) names += (names.empty() ? "" : ", ") + who(groups[i]);
  return "  " + shortened("and " + names, width - 2) + "\n";
}

// The thread that has to do something before `thread` goes on; nullptr: no particular one.
const DocumentThread* blocker(const FindingDocument& finding, const DocumentThread& thread) {
  return thread_named(finding, thread.held_by.empty() ? thread.waits_for : thread.held_by);
}

// The threads of a cycle of "waits for what X holds", from its smallest name on; empty: there is none.
std::vector<std::string> cycle_of(const FindingDocument& finding) {
  for (const DocumentThread& start : finding.threads) {
    std::vector<std::string> path;
    for (const DocumentThread* at = &start; at != nullptr && path.size() <= finding.threads.size();) {
      path.push_back(at->name);
      at = blocker(finding, *at);
      if (at == &start) return path;
    }
  }
  return {};
}

// What would let those go on who wait for something of that kind; nullptr: only its holder can.
const char* remedy(const std::string& kind) {
  if (kind == "condition") return "signal";
  if (kind == "semaphore") return "post";
  if (kind == "barrier") return "come to barrier";
  return kind == "futex" ? "wake those who wait on" : nullptr;
}

// "No thread is left that could signal C or post S."
std::string nobody_left(const FindingDocument& finding) {
  std::set<std::string> deeds;
  for (const DocumentThread& thread : finding.threads) {
    const DocumentObject* object = object_named(finding, thread.waits_for);
    const char* deed = object == nullptr ? nullptr : remedy(object->kind);
    if (deed != nullptr) deeds.insert(deed + (" " + object->name));
  }
  std::string text;
  for (const std::string& deed : deeds) text += (text.empty() ? "" : " or ") + deed;
  if (text.empty()) return "";
  const bool others = std::ranges::any_of(finding.threads, [](const DocumentThread& t) { return !t.held_by.empty(); });
  return others ? "Those who could " + text + " wait, too." : "No thread is left that could " + text + ".";
}

}  // namespace

std::string noun_of(std::string_view kind) {
  if (kind == "condition") return "condition variable";
  return kind == "once" ? "once flag" : std::string(kind);
}

std::string thread_title(const DocumentThread& thread) {
  const bool labelled = !thread.label.empty() && thread.label != thread.name;
  return labelled ? thread.name + " " + thread.label : thread.name;
}

Threads live_threads(const FindingDocument& finding) {
  Threads threads;
  for (const DocumentThread& thread : finding.threads)
    if (thread.state != "ended") threads.push_back(&thread);
  std::ranges::stable_sort(threads, {}, [](const DocumentThread* t) {
    return t->ordinal == 0 && t->holds.empty() ? 2 : t->holds.empty() && t->held_by.empty() ? 1 : 0;
  });
  return threads;
}

std::string wait_lines(const FindingDocument& finding, const Threads& threads, size_t width) {
  const std::vector<Group> groups = groups_of(threads);
  std::vector<Line> lines = lines_of(finding, groups, false);
  const bool narrow = Widths(lines).total() > width;
  if (narrow) lines = lines_of(finding, groups, true);
  const Widths widths(lines);
  std::string text;
  for (const Line& line : lines) text += narrow ? two_lines(line, widths, width) : one_line(line, widths);
  return text + others(groups, width);
}

std::string deadlock_sentence(const FindingDocument& finding, size_t width) {
  const std::vector<std::string> cycle = cycle_of(finding);
  std::string text;
  if (cycle.empty()) text = nobody_left(finding);
  if (cycle.size() > 2)
    text = "Cycle: " + fmt::format("{}", fmt::join(cycle, " waits for ")) + " waits for " + cycle[0];
  return text.empty() ? "" : "  " + shortened(text, width - 2) + "\n";
}

}  // namespace snarl::report
