#include "detect/causal_window.h"

#include <algorithm>
#include <sstream>

namespace snarl::detect {
namespace {

std::string name(char kind, uint32_t number) { return kind + std::to_string(number); }

bool reads(const Event& e) { return is_memory_read(e.kind) || e.kind == OpKind::kAtomicRmw; }
bool is_plain_read(const Event& e) { return e.kind == OpKind::kRead; }

}  // namespace

CausalWindow::CausalWindow(const PredictTrace& trace, EventIndex begin, EventIndex end)
    : trace_(trace), begin_(begin), end_(end), first_(trace.threads()), count_(trace.threads()) {
  for (EventIndex i = 0; i < begin; ++i) {
    ++first_[trace.thread(i)];
    if (const Event& e = trace.event(i); is_memory_write(e.kind)) before_[e.object] = written(i);
  }
  for (EventIndex i = begin; i < end; ++i) ++count_[trace.thread(i)];
  declare();
  say_needs();
  say_locks();
  say_memory();
}

std::string CausalWindow::in(EventIndex i) const {
  if (i < begin_) return "true";
  if (i >= end_) return "false";
  const uint32_t thread = trace_.thread(i);
  return "(>= " + name('c', thread) + " " + std::to_string(trace_.nth(i) - first_[thread]) + ")";
}

std::string CausalWindow::before(EventIndex a, EventIndex b) const {
  if (a < begin_) return "true";
  return "(< " + name('o', a) + " " + name('o', b) + ")";
}

std::string CausalWindow::done_before(EventIndex a, EventIndex b) const {
  if (a < begin_) return "true";
  if (a >= end_) return "false";
  return "(and " + in(a) + " " + before(a, b) + ")";
}

void CausalWindow::declare() {
  for (uint32_t t = 0; t < trace_.threads(); ++t) {
    text_ += "(declare-const " + name('c', t) + " Int)\n";
    say("(and (>= " + name('c', t) + " 0) (<= " + name('c', t) + " " + std::to_string(count_[t]) + "))");
  }
  std::vector<EventIndex> last(trace_.threads(), kNoEvent);
  for (EventIndex i = begin_; i < end_; ++i) {
    text_ += "(declare-const " + name('o', i) + " Int)\n";
    EventIndex& before_it = last[trace_.thread(i)];
    if (before_it != kNoEvent) say(before(before_it, i));
    before_it = i;
  }
}

// Of memory, what is read is said by its value. A lock that could not be had is somebody's until after that.
void CausalWindow::say_needs() {
  for (EventIndex i = begin_; i < end_; ++i) {
    const Event& event = trace_.event(i);
    if (is_plain_read(event)) continue;
    for (const EventIndex needed : trace_.needs(i)) {
      if (is_here(needed)) say("(=> " + in(i) + " " + done_before(needed, i) + ")");
      const Section* section = event.result == 0 ? nullptr : trace_.section_at(needed);
      if (section != nullptr && section->release != kNoEvent && is_here(section->release))
        say("(=> " + in(section->release) + " " + done_before(i, section->release) + ")");
    }
  }
}

void CausalWindow::say_locks() {
  std::map<uint32_t, std::vector<const Section*>> of_lock;
  for (const Section& section : trace_.sections())
    if (section.acquire < end_ && (section.release == kNoEvent || section.release >= begin_))
      of_lock[section.lock].push_back(&section);
  for (const auto& [lock, sections] : of_lock)
    for (size_t i = 0; i < sections.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (sections[i]->thread != sections[j]->thread) exclude(*sections[j], *sections[i]);
}

void CausalWindow::exclude(const Section& one, const Section& other) {
  const auto over = [&](const Section& a, const Section& b) {
    return a.release == kNoEvent || b.acquire < begin_ ? std::string("false") : done_before(a.release, b.acquire);
  };
  say("(=> (and " + in(one.acquire) + " " + in(other.acquire) + ") (or " + over(one, other) + " " + over(other, one) +
      "))");
}

void CausalWindow::say_memory() {
  std::map<uint64_t, Word> words;
  for (EventIndex i = begin_; i < end_; ++i) {
    const Event& e = trace_.event(i);
    if (!is_memory_access(e.kind) || e.size == 0) continue;
    for (uint64_t at = e.object >> 3; at <= (e.object + e.size - 1) >> 3; ++at) {
      Word& word = words[at];
      const Event& first = word.accesses.empty() ? e : trace_.event(word.accesses.front());
      word.whole &= e.size <= 8 && (e.object + e.size - 1) >> 3 == e.object >> 3 && e.object == first.object &&
                    e.size == first.size && e.block == first.block;
      word.accesses.push_back(i);
    }
  }
  for (const auto& [at, word] : words) {
    if (!word.whole) keep_order(word);
    for (const EventIndex i : word.accesses)
      if (word.whole && reads(trace_.event(i))) say_read(i, word);
  }
}

void CausalWindow::keep_order(const Word& word) {
  for (size_t i = 1; i < word.accesses.size(); ++i)
    say("(=> " + in(word.accesses[i]) + " " + done_before(word.accesses[i - 1], word.accesses[i]) + ")");
}

// What it read was left by the last write before it.
void CausalWindow::say_read(EventIndex read, const Word& word) {
  std::vector<EventIndex> writes;
  for (const EventIndex i : word.accesses)
    if (i != read && is_memory_write(trace_.event(i).kind)) writes.push_back(i);
  const uint64_t value = trace_.event(read).value;
  std::string any;
  const auto not_between = [&](EventIndex from) {
    std::string text;
    for (const EventIndex other : writes)
      if (other != from)
        text += " (or (not " + in(other) + ") " + before(read, other) +
                (from == kNoEvent ? "" : " " + before(other, from)) + ")";
    return text;
  };
  if (starts_with(word, value)) any += " (and true" + not_between(kNoEvent) + ")";
  for (const EventIndex write : writes)
    if (written(write) == value) any += " (and " + done_before(write, read) + not_between(write) + ")";
  say("(=> " + in(read) + " (or false" + any + "))");
}

// What an update leaves is told by the point after it.
uint64_t CausalWindow::written(EventIndex i) const {
  const Event& e = trace_.event(i);
  if (e.kind != OpKind::kAtomicRmw) return e.value;
  const uint32_t thread = trace_.thread(i), nth = trace_.nth(i);
  if (nth == trace_.count(thread)) return e.value;
  const Event& next = trace_.event(trace_.at(thread, nth + 1));
  return next.kind == OpKind::kAfter && next.object == e.object ? next.value : e.value;
}

// Was that there when the window began? If nothing tells, it was not.
bool CausalWindow::starts_with(const Word& word, uint64_t value) const {
  const Event& first = trace_.event(word.accesses.front());
  for (const EventIndex i : word.accesses) {
    if (reads(trace_.event(i))) return trace_.event(i).value == value;
    if (is_memory_write(trace_.event(i).kind)) break;
  }
  const auto left = before_.find(first.object);
  return left != before_.end() && left->second == value;
}

std::string CausalWindow::is_next(EventIndex event) const {
  const uint32_t thread = trace_.thread(event);
  return "(= " + name('c', thread) + " " + std::to_string(trace_.nth(event) - first_[thread] - 1) + ")";
}

std::string CausalWindow::get_values() const {
  std::string text = "(get-value (";
  for (uint32_t t = 0; t < trace_.threads(); ++t) text += " " + name('c', t);
  for (EventIndex i = begin_; i < end_; ++i) text += " " + name('o', i);
  return text + "))";
}

std::vector<Stretch> CausalWindow::witness(const std::string& values) const {
  std::string plain = values;
  for (char& c : plain)
    if (c == '(' || c == ')') c = ' ';
  std::istringstream words(plain);
  std::map<std::string, int64_t> value_of;
  for (std::string key, word; words >> key >> word;) {  // a negative one is "- 3"
    const bool negative = word == "-";
    if (negative) words >> word;
    value_of[key] = (negative ? -1 : 1) * std::stoll(word);
  }
  Cut cut = first_;
  for (uint32_t t = 0; t < trace_.threads(); ++t) cut[t] += static_cast<uint32_t>(value_of[name('c', t)]);
  std::vector<EventIndex> order;
  for (EventIndex i = begin_; i < end_; ++i)
    if (trace_.nth(i) <= cut[trace_.thread(i)]) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](EventIndex i) { return value_of[name('o', i)]; });
  std::vector<Stretch> result = stretches_of(trace_, first_);
  for (const EventIndex i : order) add_step(trace_, i, result);
  return result;
}

}  // namespace snarl::detect
