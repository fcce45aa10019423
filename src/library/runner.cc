#include "library/runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "explain/signature.h"
#include "explore/target/policy_spec.h"
#include "explore/target/scan_file.h"
#include "record/settle.h"
#include "record/wire_reader.h"
#include "runtime/patch/table.h"
#include "schedule/epochs.h"

namespace snarl::library {
namespace {

// In a process of its own, like the scanner of `snarl run`: what it leaves behind ends with it.
int scan_here(const char* file, int result, const char* cached) {
  return explore::scan_file(file, result, cached, {}) ? 0 : 1;
}

void write_options(const Settings& settings, wire::Layout& wire) {
  wire.options = wire::Options{};
  wire.command.settings = settings.setup.settings;
  settings.setup.cache.copy(wire.options.cache, sizeof wire.options.cache - 1);
  runtime::patch::scan_here = settings.patches ? scan_here : nullptr;
  for (size_t i = 0; i < settings.setup.plugins.size() && i < wire::kMaxPlugins; ++i)
    settings.setup.plugins[i].copy(wire.options.plugins[i], kMaxPolicyFile - 1);
}

}  // namespace

BodyOrder order_of(const wire::BatchOrder& batch, uint64_t index, const Profile& profile) {
  BodyOrder order{.key = batch.key, .settings = batch.settings};
  order.key.index = std::clamp(index, batch.key.index, batch.end - 1);
  order.key.turn = order.key.index / batch.policies;
  order.key.policy = batch.policy[order.key.index % batch.policies];
  order.settings.all_memory = batch.has_all_points(order.key.index);
  order.key.profile = order.settings.all_memory ? batch.all_profile : profile;
  order.settings.fairness = default_fairness(order.key.profile.steps);
  return order;
}

BodyRunner::BodyRunner(const Settings& settings, SharedMemory memory, const runtime::Body& body)
    : settings_(settings), memory_(memory), body_(body), fibers_(settings.fibers) {
  write_options(settings, memory.wire);
  record::write_counts({}, memory.wire);
  record::write_places(nullptr, memory.wire);
  std::memset(memory.batch.distinct, 0, sizeof memory.batch.distinct);
  forget_seen_rows();
}

void BodyRunner::forget_seen_rows() { std::memset(memory_.batch.seen_rows, 0, sizeof memory_.batch.seen_rows); }

void BodyRunner::set_places(std::shared_ptr<const record::SharedPlaces> places) {
  places_ = std::move(places);
  record::write_places(places_.get(), memory_.wire);
}

void BodyRunner::write_command(const BodyOrder& order) {
  wire::Layout& wire = memory_.wire;
  wire::Command& command = wire.command;
  const auto count = static_cast<uint32_t>(std::min<size_t>(order.follow.size(), wire::kMaxDecisions));
  std::copy_n(order.follow.begin(), count, wire.follow);
  ++command.run;
  command.key = order.key;
  command.settings = order.settings;
  command.fibers = fibers_;
  command.follow_count = count;
}

// What fibers can't do is noticed, and done again with real threads, from then on.
Expected<ChildEnd> BodyRunner::run_child_for(const BodyOrder& order, double deadline, bool captures) {
  for (;;) {
    write_command(order);
    const ChildOrder child{body_, settings_.prepare, settings_.setup.timeout, deadline, captures, fibers_};
    Expected<ChildEnd> end = run_child(memory_, child);
    if (!end || !fibers_) return end;
    if (!end->is_stuck && memory_.wire.state.on_fibers.obstacle[0] == '\0') return end;
    fibers_ = false;
  }
}

record::RunRecord BodyRunner::read_record(const BodyOrder& order, const ChildEnd& end) const {
  record::RunRecord record;
  record.key = order.key;
  record.settings = order.settings;
  record.places = places_;
  record.seconds = settings_.setup.timeout;
  record::read_run(memory_.wire, memory_.wire.command.run, record::Detail::kAll, record);
  if (order.settings.count) record.counts = record::read_counts(memory_.wire);
  if (order.settings.learning != Learning::kNothing) record.learned = learned();
  record::settle(record, end.status, end.timed_out);
  const Step budget = order.settings.step_budget;
  if (record.outcome == OutcomeKind::kTimeout && budget != 0 && record.steps > budget)
    record.outcome = OutcomeKind::kStepBudget;
  record.out = end.out, record.out_cut = end.out_cut;
  record.err = end.err, record.err_cut = end.err_cut;
  return record;
}

Expected<record::RunRecord> BodyRunner::run(const BodyOrder& order) {
  memory_.batch.order = wire::BatchOrder{};
  const Expected<ChildEnd> end = run_child_for(order, 0, order.settings.trace);
  if (!end) return end.error();
  return read_record(order, *end);
}

Expected<BatchEnd> BodyRunner::run(const wire::BatchOrder& batch, double deadline) {
  memory_.batch.order = batch;
  const Expected<ChildEnd> end = run_child_for(order_of(batch, batch.key.index, batch.key.profile), deadline, false);
  if (!end) return end.error();
  BatchEnd result{memory_.batch.state, std::nullopt};
  wire::BatchState& state = result.state;
  state.samples = std::min(state.samples, wire::kMaxSamples);
  state.left = state.left < wire::Left::kCount ? state.left : wire::Left::kNothing;
  if (state.is_done != 0 || state.left != wire::Left::kNothing) return result;
  result.failed = read_record(order_of(batch, state.index, state.profile), *end);
  return result;
}

// Linear counting (Whang, Vander-Zanden, Taylor 1990).
uint64_t BodyRunner::distinct() const {
  uint64_t set = 0;
  for (uint64_t word : memory_.batch.distinct) set += static_cast<uint64_t>(std::popcount(word));
  const double all = wire::kDistinctBits;
  const double unset = std::max(1.0, all - static_cast<double>(set));
  return static_cast<uint64_t>(std::llround(-all * std::log(unset / all)));
}

}  // namespace snarl::library
