#include "library/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "base/check.h"
#include "explore/execute/order_writer.h"
#include "explore/target/scan_file.h"
#include "record/settle.h"
#include "record/wire_reader.h"
#include "runtime/hooks/compiled_in.h"
#include "runtime/patch/table.h"
#include "schedule/epochs.h"

namespace snarl::library {
namespace {

void write_files(const std::vector<std::string>& names, char (&to)[wire::kMaxFileText]) {
  std::memset(to, 0, sizeof to);
  fmt::format("{}", fmt::join(names, "\n")).copy(to, sizeof to - 1);
}

// In a process of its own, like the scanner of `snarl run`: what it leaves behind ends with it.
int scan_here(const char* file, int result, const char* cached, const char* loads) {
  return explore::scan_file(file, result, cached, {}, explore::load_list(loads)) ? 0 : 1;
}

void write_options(const Settings& settings, wire::Layout& wire) {
  wire.options = wire::Options{};
  wire.command.settings = settings.setup.settings;
  settings.setup.cache.copy(wire.options.cache, sizeof wire.options.cache - 1);
  runtime::patch::scan_here = settings.patches ? scan_here : nullptr;
  for (size_t i = 0; i < settings.setup.plugins.size() && i < wire::kMaxPlugins; ++i)
    settings.setup.plugins[i].copy(wire.options.plugins[i], kMaxPolicyFile - 1);
}

const char* text_of(wire::Left left) {
  switch (left) {
    case wire::Left::kThreads: return "the body returns while threads of it live, or are neither joined nor detached";
    case wire::Left::kLocks: return "the body returns while a lock is held";
    case wire::Left::kThreadLocals: return "the body makes thread_local objects of the main thread";
    case wire::Left::kTimers: return "the body makes timers";
    case wire::Left::kSignals: return "the body leaves signals pending";
    case wire::Left::kChildren: return "the body starts other processes";
    case wire::Left::kEnded: return "the body ends its thread";
    case wire::Left::kBehaviour: return "the body keeps state: the same schedule went otherwise when it was repeated";
    case wire::Left::kHeap: return "the body does not free all its memory";
    default: return "";
  }
}

// Linear counting (Whang, Vander-Zanden, Taylor 1990).
uint64_t distinct_of(std::span<const uint64_t, wire::kDistinctBits / 64> bits) {
  uint64_t set = 0;
  for (uint64_t word : bits) set += static_cast<uint64_t>(std::popcount(word));
  const double all = wire::kDistinctBits;
  const double unset = std::max(1.0, all - static_cast<double>(set));
  return static_cast<uint64_t>(std::llround(-all * std::log(unset / all)));
}

explore::RangeOrders orders_of(const wire::BatchOrders& orders, uint32_t policies) {
  if (orders.runs == 0) return {};
  return {orders.runs, distinct_of(orders.seen), orders.last_new,
          std::vector<OrderTally>(orders.tally, orders.tally + std::min(policies, wire::kMaxBatchPolicies))};
}

// The child may have written anything.
wire::BatchState checked(wire::BatchState state, uint64_t first, uint64_t end) {
  state.schedules = std::min(state.schedules, end - first);
  state.samples = std::min(state.samples, wire::kMaxSamples);
  state.left = state.left < wire::Left::kCount ? state.left : wire::Left::kNothing;
  for (uint32_t i = 0; i < state.samples; ++i)
    if (state.sample[i].key.index < first || state.sample[i].key.index >= end) state.samples = i;
  return state;
}

}  // namespace

BodyExecutors::BodyExecutors(const Settings& settings, SharedMemory memory, const runtime::Body& body)
    : settings_(settings),
      memory_(memory),
      body_(body),
      server_(memory, body, settings.prepare),
      fibers_(settings.fibers),
      stays_(settings.stays),
      why_(stays_ ? "the body leaves no state behind" : settings.stays_why) {
  write_options(settings, memory.wire);
  std::memset(memory.batch.distinct, 0, sizeof memory.batch.distinct);
  std::memset(memory.batch.seen_rows, 0, sizeof memory.batch.seen_rows);
  if (memory.batch.orders.runs != 0)
    std::memset(static_cast<void*>(&memory.batch.orders), 0, sizeof memory.batch.orders);
}

Expected<std::unique_ptr<explore::Executor>> BodyExecutors::make(const explore::Setup& setup, explore::Mode mode, int) {
  SNARL_CHECK(mode == explore::Mode::kFork);
  return std::unique_ptr<explore::Executor>(std::make_unique<BodyExecutor>(*this, setup));
}

void BodyExecutors::fork_from_now_on(const std::string& why) {
  if (!stays_) return;
  stays_ = false;
  why_ = why;
}

Status BodyExecutor::begin(explore::RunOrder order) {
  SNARL_CHECK(!busy());
  order_ = std::move(order);
  return start();
}

// What was drawn before is forgotten once: a range that is begun again, on gates, goes on with what it saw.
wire::BatchOrder BodyExecutor::batch_order() const {
  if (order_.range == nullptr) return {};
  wire::BatchOrder batch = *order_.range;
  batch.key = order_.key;
  batch.settings = order_.settings;
  batch.stays = batch.repeats = all_.stays_ ? 1 : 0;
  batch.watches_heap = all_.settings_.watches_heap ? 1 : 0;
  batch.looks_for_new =
      distinct_of(all_.memory_.batch.distinct) < wire::kDistinctBits / 2;  // fewer: a new one has its own bit
  return batch;
}

Status BodyExecutor::start() {
  wire::Layout& wire = all_.memory_.wire;
  all_.memory_.batch.order = batch_order();
  write_files(setup_.stepped, wire.options.stepped);
  write_files(setup_.unpatched, wire.options.unpatched);
  explore::OrderWriter().write(order_, setup_, wire.command.run + 1, all_.fibers_, wire);
  Expected<Child> child = Child::start(all_.memory_,
                                       {.body = all_.body_,
                                        .prepare = all_.settings_.prepare,
                                        .timeout = setup_.timeout,
                                        .deadline = order_.range == nullptr ? 0 : order_.most_until,
                                        .captures = order_.settings.trace,
                                        .fibers = all_.fibers_ && setup_.stepped.empty()},
                                       all_.server_);
  if (!child) return child.error();
  child_.emplace(std::move(*child));
  return Done{};
}

void BodyExecutor::add_to(std::vector<pollfd>& fds) const {
  if (child_) child_->add_to(fds);
}

void BodyExecutor::abandon() {
  if (!child_) return;
  child_->kill();
  while (!child_->advance()) {
    std::vector<pollfd> fds;
    child_->add_to(fds);
    explore::wait_for_events(fds, child_->wake_at());
  }
  child_.reset();
}

// What fibers can't do is noticed, and done again with real threads, from then on.
Expected<std::optional<explore::Came>> BodyExecutor::advance() {
  const std::optional<ChildEnd> end = child_ ? child_->advance() : std::nullopt;
  if (!end) return std::optional<explore::Came>();
  child_.reset();
  if (all_.fibers_ && (end->is_stuck || all_.memory_.wire.state.on_fibers.obstacle[0] != '\0')) {
    all_.fibers_ = false;
    if (Status again = start(); !again) return again.error();
    return std::optional<explore::Came>();
  }
  if (order_.range != nullptr) return std::optional(came_of_range(*end));
  return std::optional<explore::Came>({.record = read_record(order_, *end)});
}

explore::Came BodyExecutor::came_of_range(const ChildEnd& end) {
  const wire::Batch& batch = all_.memory_.batch;
  explore::Came came;
  came.sum = {checked(batch.state, order_.key.index, order_.range->end),
              learns_places(order_.settings.points) ? record::read_learned(all_.memory_.wire) : record::SharedPlaces(),
              order_.settings.list_pairs ? record::read_pairs(all_.memory_.wire) : record::SitePairs(),
              distinct_of(batch.distinct), orders_of(batch.orders, order_.range->policies)};
  const wire::BatchState& state = came.sum->state;
  if (state.is_done == 0 && state.left == wire::Left::kNothing)
    came.record = read_record(order_at(state.index, state.profile), end);
  else if (state.left != wire::Left::kNothing)
    all_.fork_from_now_on(text_of(state.left));
  return came;
}

// The run of the range with that index, in an epoch of that profile.
explore::RunOrder BodyExecutor::order_at(uint64_t index, const Profile& profile) const {
  const wire::BatchOrder& range = *order_.range;
  explore::RunOrder order = order_;
  order.key.index = std::clamp(index, order_.key.index, range.end - 1);
  order.key.turn = range.rota.turn_at(order.key.index);
  order.key.policy = range.policy[range.rota.policy_at(order.key.index)];
  order.settings.points = range.points_at(order.key.index, order_.settings.points);
  order.settings.all_memory = range.has_all_points(order.key.index);
  order.key.profile = order.settings.all_memory ? range.all_profile : profile;
  order.settings.fairness = default_fairness(order.key.profile.steps);
  return order;
}

record::RunRecord BodyExecutor::read_record(const explore::RunOrder& order, const ChildEnd& end) const {
  const wire::Layout& wire = all_.memory_.wire;
  record::RunRecord record;
  record.key = order.key;
  record.settings = order.settings;
  record.places = order.places;
  record.unpatched = setup_.unpatched;
  record.seconds = setup_.timeout;
  record::read_run(wire, wire.command.run, record::Detail::kAll, record);
  record.hooked = runtime::compiled_in::have_asked();  // before there was a wire
  if (order.settings.count) record.counts = record::read_counts(wire);
  if (order.settings.list_pairs) record.pairs = record::read_pairs(wire);
  if (order.settings.learning != Learning::kNothing) record.learned = record::read_learned(wire);
  record::settle(record, end.status, end.timed_out);
  const Step budget = order.settings.step_budget;
  if (record.outcome == OutcomeKind::kTimeout && budget != 0 && record.steps > budget)
    record.outcome = OutcomeKind::kStepBudget;
  record.out = end.out, record.out_cut = end.out_cut;
  record.err = end.err, record.err_cut = end.err_cut;
  return record;
}

}  // namespace snarl::library
