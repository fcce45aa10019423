#include "report/text/paragraphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/finding_names.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxLines = 8;  // groups of threads; the others are named in one line

const FindingThread* thread_of(const Finding& finding, uint32_t ordinal) {
  const auto found = std::ranges::find(finding.threads, ordinal, &FindingThread::ordinal);
  return found == finding.threads.end() ? nullptr : &*found;
}

const FindingObject* object_of(const Finding& finding, uint32_t index) {
  return index < finding.objects.size() ? &finding.objects[index] : nullptr;
}

std::string holds_text(const Finding& finding, const FindingThread& thread) {
  std::string text;
  for (const FindingHeld& held : thread.holds) {
    const FindingObject* object = object_of(finding, held.object);
    const std::string kind = text.empty() && object != nullptr ? noun_of(object->kind) + " " : "";
    text += (text.empty() ? "holds " : ", ") + kind + ActWords(finding.objects).name(held.object);
    if (held.how != Holding::kOwned) text += std::string(" for ") + name_of(held.how);
    if (const std::string place = place_text(held.place); !place.empty()) text += " (" + place + ")";
  }
  return text;
}

// Who has what the thread waits for; nothing if its own words or the lines of the other threads say it.
std::string holder_text(const Finding& finding, const FindingThread& thread, bool always) {
  const bool said = thread.holder == Holder::kWriterAhead || thread.holder == Holder::kOnceRunner;
  if (thread.held_by == kNobody || said) return "";
  if (thread.held_by == thread.ordinal) return " (which it holds itself)";
  const FindingThread* holder = thread_of(finding, thread.held_by);
  const std::string held = " (held by " + thread_name(thread.held_by);
  if (holder != nullptr && holder->state == ThreadState::kEnded) return held + ", which has ended)";
  return always || holder == nullptr || holder->holds.empty() ? held + ")" : "";
}

std::string waits_text(const Finding& finding, const FindingThread& thread, bool always) {
  const ActWords words(finding.objects);
  if (const std::string doing = doing_text(thread, words); !doing.empty())
    return doing + holder_text(finding, thread, always);
  const std::string pending = pending_text(thread, words);
  if (pending.empty()) return "runs";
  return (thread.act.kind == OpKind::kAfter ? "stopped " : "is about to ") + pending;
}

struct Line {
  std::string who, holds, waits, at;
};

Line line_of(const Finding& finding, const FindingThread& thread, bool always) {
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
struct Group {
  std::string same;  // of all of them: name, what they do, where; empty: of one that holds something
  Threads threads;
};

std::vector<Group> groups_of(const Finding& finding, const Threads& threads) {
  const ActWords words(finding.objects);
  std::vector<Group> groups;
  for (const FindingThread* thread : threads) {
    const std::string same = !thread->holds.empty()
                                 ? ""
                                 : fmt::format("{}\n{}\n{}\n{}", thread->label, doing_text(*thread, words),
                                               pending_text(*thread, words), place_and_function(thread->place));
    const auto found = same.empty() ? groups.end() : std::ranges::find(groups, same, &Group::same);
    if (found == groups.end())
      groups.push_back({same, {thread}});
    else
      found->threads.push_back(thread);
  }
  return groups;
}

// "T3 audit", "T3, T4 audit", "T3..T11 audit (9)"
std::string who(const Group& group) {
  const size_t count = group.threads.size();
  const std::string first = thread_name(group.threads.front()->ordinal), last = thread_title(*group.threads.back());
  if (count == 1) return last;
  return count == 2 ? first + ", " + last : fmt::format("{}..{} ({})", first, last, count);
}

std::vector<Line> lines_of(const Finding& finding, const std::vector<Group>& groups, bool always) {
  std::vector<Line> lines;
  for (const Group& group : groups) {
    if (lines.size() == kMaxLines) break;
    lines.push_back(line_of(finding, *group.threads.front(), always));
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
const FindingThread* blocker(const Finding& finding, const FindingThread& thread) {
  if (thread.held_by != kNobody) return thread_of(finding, thread.held_by);
  const bool joins = thread.doing == Doing::kWaits && thread.act.kind == OpKind::kJoin;
  return joins ? thread_of(finding, thread.act.thread) : nullptr;
}

// The threads of a cycle of "waits for what X holds", from its first in the finding on; empty: there is none.
std::vector<std::string> cycle_of(const Finding& finding) {
  for (const FindingThread& start : finding.threads) {
    std::vector<std::string> path;
    for (const FindingThread* at = &start; at != nullptr && path.size() <= finding.threads.size();) {
      path.push_back(thread_name(at->ordinal));
      at = blocker(finding, *at);
      if (at == &start) return path;
    }
  }
  return {};
}

// What would let those go on who wait for something of that kind; nullptr: only its holder can.
const char* remedy(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kCondition: return "signal";
    case ObjectKind::kSemaphore: return "post";
    case ObjectKind::kBarrier: return "come to barrier";
    case ObjectKind::kFutex: return "wake those who wait on";
    default: return nullptr;
  }
}

// "No thread is left that could signal C or post S."
std::string nobody_left(const Finding& finding) {
  std::set<std::string> deeds;
  for (const FindingThread& thread : finding.threads) {
    if (thread.doing != Doing::kWaits) continue;
    const FindingObject* object = object_of(finding, thread.act.object);
    const char* deed = object == nullptr ? nullptr : remedy(object->kind);
    if (deed != nullptr) deeds.insert(deed + (" " + object->name));
  }
  std::string text;
  for (const std::string& deed : deeds) text += (text.empty() ? "" : " or ") + deed;
  if (text.empty()) return "";
  const bool others = std::ranges::any_of(finding.threads, [](const FindingThread& t) { return t.held_by != kNobody; });
  return others ? "Those who could " + text + " wait, too." : "No thread is left that could " + text + ".";
}

}  // namespace

Threads live_threads(const Finding& finding) {
  Threads threads;
  for (const FindingThread& thread : finding.threads)
    if (thread.state != ThreadState::kEnded) threads.push_back(&thread);
  std::ranges::stable_sort(threads, {}, [](const FindingThread* t) {
    return t->ordinal == 0 && t->holds.empty() ? 2 : t->holds.empty() && t->held_by == kNobody ? 1 : 0;
  });
  return threads;
}

std::string wait_lines(const Finding& finding, const Threads& threads, size_t width) {
  const std::vector<Group> groups = groups_of(finding, threads);
  std::vector<Line> lines = lines_of(finding, groups, false);
  const bool narrow = Widths(lines).total() > width;
  if (narrow) lines = lines_of(finding, groups, true);
  const Widths widths(lines);
  std::string text;
  for (const Line& line : lines) text += narrow ? two_lines(line, widths, width) : one_line(line, widths);
  return text + others(groups, width);
}

std::string deadlock_sentence(const Finding& finding, size_t width) {
  const std::vector<std::string> cycle = cycle_of(finding);
  std::string text;
  if (cycle.empty()) text = nobody_left(finding);
  if (cycle.size() > 2)
    text = "Cycle: " + fmt::format("{}", fmt::join(cycle, " waits for ")) + " waits for " + cycle[0];
  return text.empty() ? "" : "  " + shortened(text, width - 2) + "\n";
}

}  // namespace snarl::report
