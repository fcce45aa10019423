#include "explain/cause/trace.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "record/modules.h"
#include "schedule/directive.h"

namespace snarl::explain {
namespace {

const LoadedModule* module_at(const std::vector<LoadedModule>& modules, uint64_t pc) {
  for (const LoadedModule& m : modules)
    if (m.begin <= pc && pc < m.end) return &m;
  return nullptr;
}

std::string_view file_of(const LoadedModule& m) { return std::string_view(m.path).substr(m.path.rfind('/') + 1); }

// How each thread came to be: the children from main on, by its ordinal.
std::map<uint32_t, std::vector<uint32_t>> ancestry(const record::RunRecord& run) {
  std::map<uint32_t, std::vector<uint32_t>> threads = {{0, {}}};
  std::map<uint32_t, uint32_t> children;
  for (const Event& e : run.events) {
    if (e.kind != OpKind::kCreate || e.result != 0) continue;
    std::vector<uint32_t> way = threads[e.thread];
    way.push_back(++children[e.thread]);
    threads[other_of(e)] = std::move(way);
  }
  return threads;
}

uint64_t name_of(const std::vector<uint32_t>& way) {
  uint64_t name = kMainName;
  for (const uint32_t child : way) name = name_of_child(name, child - 1);
  return name;
}

class Reader {
 public:
  explicit Reader(const record::RunRecord& run) : modules_(record::loaded_modules(run.modules)) {
    for (const auto& [ordinal, way] : ancestry(run)) names_[ordinal] = name_of(way);
  }

  void add(const Event& e, size_t index) {
    began_ = began_ || e.step != 0;
    const bool after = is_after_call(e.kind, e.after);
    if ((!after && !is_directed(e.kind, e.after)) || e.kind == OpKind::kFree) return;
    add({.kind = e.kind, .object = e.object, .second = second_of(e), .ordinal = e.thread, .index = index}, e.pc, began_,
        after ? kAfterCall : 0);
  }

  void add_pending(const wire::Thread& t) {
    const bool after = is_after_call(t.pending.kind, t.pending.after);
    if ((!after && !is_directed(t.pending.kind, t.pending.after)) || t.pending.kind == OpKind::kNone) return;
    add({.kind = t.pending.kind,
         .performed = false,
         .object = t.pending.object,
         .second = t.pending.second,
         .ordinal = t.ordinal},
        t.pending.pc, true, after ? kAfterCall : 0);
  }

  Trace take() { return std::move(trace_); }

 private:
  // What main does before there is a second thread is only counted: nothing can come between. What the last thread does
  // alone, others might have come between in another schedule.
  void add(TracedEvent event, uint64_t pc, bool kept, uint64_t after = 0) {
    const LoadedModule* m = module_at(modules_, pc);
    const bool start = event.kind == OpKind::kStart;
    const auto name = names_.find(event.ordinal);
    if ((m == nullptr && !start) || name == names_.end()) return;
    event.thread = name->second;
    event.place = start ? kStartPlace : combine(hash_text(file_of(*m)), pc - m->bias);
    event.nth = ++counts_[{event.thread, event.place, after}] | after;
    if (kept) trace_.push_back(event);
  }

  std::vector<LoadedModule> modules_;
  std::map<uint32_t, uint64_t> names_;
  std::map<std::array<uint64_t, 3>, uint64_t> counts_;
  Trace trace_;
  bool began_ = false;  // there has been a second thread
};

// Events after a misuse tell of something else.
size_t end_of(const record::RunRecord& run) {
  if (run.failure.kind != record::FailureKind::kMisuse || run.failure.index >= run.misuses.size())
    return run.events.size();
  const uint64_t until = run.misuses[run.failure.index].events;
  return until == 0 ? run.events.size() : std::min<size_t>(until, run.events.size());
}

// The thread that took the last step has arrived nowhere, unless nobody could go on.
bool has_arrived(const record::RunRecord& run, const wire::Thread& t) {
  if (t.phase != wire::ThreadPhase::kLive) return false;
  const bool stuck = run.outcome == OutcomeKind::kDeadlock || run.outcome == OutcomeKind::kHang;
  return stuck || (!run.events.empty() && run.events.back().thread != t.ordinal);
}

}  // namespace

bool conflict(const TracedEvent& a, const TracedEvent& b) {
  if (a.thread == b.thread) return false;
  const auto touches = [](const TracedEvent& e, uint64_t object) {
    return object != 0 && (e.object == object || e.second == object);
  };
  if (!touches(b, a.object) && !touches(b, a.second)) return false;
  if (is_memory_read(a.kind) && is_memory_read(b.kind)) return false;
  return !(a.kind == OpKind::kReadLock && b.kind == OpKind::kReadLock);
}

Trace trace_of(const record::RunRecord& run) {
  if (run.events_lost != 0 || run.parallel || run.events.empty()) return {};
  Reader reader(run);
  const size_t end = end_of(run);
  for (size_t i = 0; i < end; ++i) reader.add(run.events[i], i);
  if (end == run.events.size())
    for (const wire::Thread& t : run.threads)
      if (has_arrived(run, t)) reader.add_pending(t);
  return reader.take();
}

EventNames::EventNames(const record::RunRecord& run) : threads_(ancestry(run)) {
  const std::vector<LoadedModule> modules = record::loaded_modules(run.modules);
  const auto add = [&](uint64_t pc) {
    const LoadedModule* m = module_at(modules, pc);
    if (m == nullptr) return;
    places_[combine(hash_text(file_of(*m)), pc - m->bias)] = {std::string(file_of(*m)), pc - m->bias};
  };
  for (const Event& e : run.events) add(e.pc);
  for (const wire::Thread& t : run.threads) add(t.pending.pc);
}

NamedEvent EventNames::named(const TracedEvent& event) const {
  NamedEvent named{.nth = event.nth};
  if (const auto thread = threads_.find(event.ordinal); thread != threads_.end()) named.thread = thread->second;
  const auto place = places_.find(event.place);
  if (place != places_.end()) named.file = place->second.file, named.offset = place->second.offset;
  return named;
}

}  // namespace snarl::explain
