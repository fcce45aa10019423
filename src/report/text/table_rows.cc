#include "report/text/table_rows.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/text/act_words.h"

namespace snarl::report {
namespace {

constexpr size_t kLastRows = 8;     // the end is shown without gaps
constexpr size_t kRecentRows = 8;   // about the last two switches
constexpr size_t kAlwaysShown = 2;  // columns: a test framework's main does much after the two have met

bool is_switch(const FindingRow& row) { return row.kind == RowKind::kSwitch; }

// All that a thread did between two switches.
bool is_alone(const std::vector<FindingRow>& rows, size_t i) {
  return i > 0 && i + 1 < rows.size() && is_switch(rows[i - 1]) && is_switch(rows[i + 1]);
}

// Rows that say nothing by themselves: the point after an operation, and the exit before ">> ended" or the yield before
// ">> yielded".
bool is_minor(const std::vector<FindingRow>& rows, size_t i) {
  const FindingRow& row = rows[i];
  if (is_switch(row)) return false;
  if (row.act.kind == OpKind::kAfter) return !is_alone(rows, i);
  if (i + 1 == rows.size() || rows[i + 1].thread != row.thread || !is_switch(rows[i + 1])) return false;
  return (row.act.kind == OpKind::kExit && rows[i + 1].reason == Reason::kEnded) ||
         (row.act.kind == OpKind::kYield && rows[i + 1].reason == Reason::kYielded);
}

// Whatever they were told.
bool same_act(FindingAct a, const FindingAct& b) {
  a.result = b.result;
  return a == b;
}

bool looks_alike(const FindingRow& a, const FindingRow& b) {
  const bool same_place =
      a.place.line == b.place.line && a.place.file == b.place.file && a.place.function == b.place.function;
  return is_step(a) && a.kind == b.kind && a.thread == b.thread && same_act(a.act, b.act) && same_place;
}

// In the middle of steps that look alike: a library's, called from one line (a failed expectation builds its message).
bool is_repeat(const std::vector<FindingRow>& rows, size_t i) {
  return i > 0 && i + 1 < rows.size() && looks_alike(rows[i - 1], rows[i]) && looks_alike(rows[i], rows[i + 1]);
}

int weight(const Finding& finding, const FindingThread& thread) {
  const bool fails = thread.state == ThreadState::kFailed || thread.ordinal == finding.failing_thread;
  if (!failed_by(finding, OutcomeKind::kDeadlock) && !failed_by(finding, OutcomeKind::kHang) && fails) return 3;
  if (!thread.holds.empty()) return thread.state == ThreadState::kBlocked ? 3 : 2;
  return thread.ordinal == 0 ? 1 : 0;  // main creates the others
}

// The rows that may be shown, as indices, oldest first.
std::vector<size_t> candidates(const Finding& finding, const std::vector<const FindingThread*>& threads) {
  std::set<uint32_t> shown;
  for (const FindingThread* thread : threads) shown.insert(thread->ordinal);
  std::vector<size_t> rows;
  for (size_t i = 0; i < finding.rows.size(); ++i)
    if (shown.contains(finding.rows[i].thread) && !is_minor(finding.rows, i) && !is_repeat(finding.rows, i))
      rows.push_back(i);
  return rows;
}

// Picks positions of `candidates` until the table is full. A gap takes a row, too.
class Selection {
 public:
  Selection(size_t count, size_t limit) : chosen_(count), limit_(limit) {}

  bool add(size_t first, size_t last) {
    last = std::min(last, chosen_.size());
    const std::vector<bool> before = chosen_;
    for (size_t i = first; i < last; ++i) chosen_[i] = true;
    if (height() <= limit_) return true;
    chosen_ = before;
    return false;
  }
  bool has(size_t i) const { return chosen_[i]; }

 private:
  size_t height() const {
    size_t rows = 0;
    for (size_t i = 0; i < chosen_.size(); ++i) rows += chosen_[i] || i == 0 || chosen_[i - 1] ? 1 : 0;
    return rows;
  }

  std::vector<bool> chosen_;
  size_t limit_;
};

bool takes(const FindingRow& row, uint32_t object) {
  constexpr OpKinds kTakes = {OpKind::kLock,        OpKind::kTryLock,   OpKind::kReacquire,   OpKind::kReadLock,
                              OpKind::kTryReadLock, OpKind::kWriteLock, OpKind::kTryWriteLock};
  return row.kind == RowKind::kStep && kTakes.has(row.act.kind) && object_named(row.act) == object;
}

// Where the threads of a deadlock took what they still hold.
void add_holds(const Finding& finding, const std::vector<size_t>& rows, Selection& selection) {
  for (const FindingThread& thread : finding.threads)
    for (const FindingHeld& held : thread.holds)
      for (size_t i = rows.size(); i-- > 0;) {
        const FindingRow& row = finding.rows[rows[i]];
        if (row.thread != thread.ordinal || !takes(row, held.object)) continue;
        selection.add(i, i + 1);
        break;
      }
}

// The last switches with the step before and the step after, and then the beginning.
void add_switches(const Finding& finding, const std::vector<size_t>& rows, Selection& selection) {
  for (size_t i = rows.size(); i-- > 0;)
    if (is_switch(finding.rows[rows[i]]) && !selection.add(i == 0 ? 0 : i - 1, i + 2)) break;
  for (size_t i = 0; i < rows.size() && selection.add(i, i + 1);) ++i;
}

Selection select(const Finding& finding, const std::vector<size_t>& rows, size_t limit) {
  Selection selection(rows.size(), limit);
  if (selection.add(0, rows.size())) return selection;
  selection.add(rows.size() - std::min(rows.size(), kLastRows), rows.size());
  add_holds(finding, rows, selection);
  add_switches(finding, rows, selection);
  return selection;
}

uint64_t steps_between(const std::vector<FindingRow>& rows, size_t first, size_t last) {
  uint64_t steps = 0;
  for (size_t i = first; i < last; ++i) steps += rows[i].skipped + (is_step(rows[i]) ? 1 : 0);
  return steps;
}

uint64_t minor_between(const std::vector<FindingRow>& rows, size_t first, size_t last) {
  uint64_t minor = 0;
  for (size_t i = first; i < last; ++i) minor += is_minor(rows, i) ? 1 : 0;
  return minor;
}

}  // namespace

std::vector<const FindingThread*> table_threads(const Finding& finding, size_t limit) {
  std::map<uint32_t, size_t> last_row;
  for (size_t i = 0; i < finding.rows.size(); ++i) last_row[finding.rows[i].thread] = i + 1;
  std::vector<const FindingThread*> threads;
  for (const FindingThread& thread : finding.threads)
    if (last_row.contains(thread.ordinal)) threads.push_back(&thread);
  std::ranges::stable_sort(threads, [&](const FindingThread* a, const FindingThread* b) {
    const int wa = weight(finding, *a), wb = weight(finding, *b);
    return wa != wb ? wa > wb : last_row[a->ordinal] > last_row[b->ordinal];
  });
  const bool too_many = threads.size() > limit;
  if (too_many) threads.resize(limit);
  // Then one that has nothing to do with the failure gets no column for long ago.
  const auto in_vain = [&](const FindingThread* t) {
    return weight(finding, *t) < 2 && last_row[t->ordinal] + kRecentRows < finding.rows.size();
  };
  if (too_many && limit > kAlwaysShown)
    threads.erase(std::remove_if(threads.begin() + kAlwaysShown, threads.end(), in_vain), threads.end());
  std::ranges::sort(threads, {}, [](const FindingThread* t) { return t->ordinal; });
  return threads;
}

std::vector<TableRow> table_rows(const Finding& finding, const std::vector<const FindingThread*>& threads,
                                 size_t limit) {
  const std::vector<size_t> rows = candidates(finding, threads);
  const Selection selection = select(finding, rows, limit);
  std::vector<TableRow> result;
  size_t next = 0;  // the first row of the finding that is neither shown nor counted
  uint64_t lost = finding.rows_lost;
  const auto gap = [&](size_t until) {
    const uint64_t skipped = until < finding.rows.size() ? finding.rows[until].skipped : 0;
    const uint64_t steps = lost + skipped + steps_between(finding.rows, next, until);
    if (steps > lost || lost > 0)
      if (steps > minor_between(finding.rows, next, until)) result.push_back({nullptr, steps});
    lost = 0;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!selection.has(i)) continue;
    gap(rows[i]);
    result.push_back({&finding.rows[rows[i]], 0});
    next = rows[i] + 1;
  }
  gap(finding.rows.size());
  return result;
}

}  // namespace snarl::report
