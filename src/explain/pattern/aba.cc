#include <utility>

#include "explain/pattern/pattern.h"
#include "explain/pattern/story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

// What the exchange left there: the point after it tells.
std::optional<uint64_t> left_by(const record::RunRecord& run, size_t exchange) {
  for (size_t i = exchange + 1; i < run.events.size(); ++i) {
    if (run.events[i].thread != run.events[exchange].thread) continue;
    if (run.events[i].kind == OpKind::kAfter && run.events[i].after == OpKind::kAtomicRmw) return run.events[i].value;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> written_by(const record::RunRecord& run, size_t write) {
  return run.events[write].kind == OpKind::kAtomicRmw ? left_by(run, write) : run.events[write].value;
}

// What the thread knows after its operation: by a load, or by an exchange, which may have failed.
std::optional<uint64_t> known_by(const record::RunRecord& run, size_t look) {
  const Event& e = run.events[look];
  if (e.kind == OpKind::kAtomicLoad) return e.value;
  return e.kind == OpKind::kAtomicRmw ? left_by(run, look) : std::nullopt;
}

}  // namespace

std::optional<Pattern> aba(const record::RunRecord& run, size_t exchange) {
  const Event& last = run.events[exchange];
  const std::optional<uint64_t> left = last.kind == OpKind::kAtomicRmw ? left_by(run, exchange) : std::nullopt;
  if (!left || *left == last.value) return std::nullopt;  // it failed, or changed nothing
  std::optional<size_t> away, again;
  for (size_t i = exchange; i-- > back_from(exchange);) {
    const Event& e = run.events[i];
    if (e.object != last.object || e.kind == OpKind::kAfter) continue;
    if (e.thread == last.thread) {
      if (known_by(run, i) != last.value || !away || !again) return std::nullopt;
      return Pattern{PatternKind::kAba,
                     {moment(run, i), moment(run, *away), moment(run, *again), moment(run, exchange)}};
    }
    if (!is_memory_write(e.kind)) continue;
    const std::optional<uint64_t> value = written_by(run, i);
    if (value == last.value && !again) again = i;
    if (value && value != last.value && again) away = i;
  }
  return std::nullopt;
}

}  // namespace snarl::explain
