#include "explore/execute/rewinder.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

// Of the runs that passed. Those in the beginning, when most surprises come, are compared more often.
constexpr uint64_t kStartEvery = 10'000, kFirst = 8;
// Seconds: the explorer looks after other things in between.
constexpr double kLongestSeries = 0.02;
constexpr uint64_t kEnoughToJudge = 32;   // runs, before it is asked whether it pays
constexpr uint64_t kRarely = 50;          // one process that ends in so many runs costs less than it saves
constexpr size_t kMostOutputs = 1 << 16;  // that are known to be right

constexpr uint64_t kMostUnprepared = 3;
constexpr const char* kUnprepared =
    "a thread that was not prepared (there are more than before, or its stack has a size of its own)";

bool is_same(const record::RunRecord& one, const record::RunRecord& other) {
  return one.outcome == other.outcome && one.steps == other.steps && one.decision_hash == other.decision_hash &&
         one.order_hash == other.order_hash && one.met_races == other.met_races;
}

// Both show the same places, beside those that all know.
bool show_same(const record::SharedPlaces& one, const record::SharedPlaces& other, const RunOrder& order) {
  const auto all = [&order](record::SharedPlaces shown) {
    if (order.epoch_places != nullptr) shown.merge(*order.epoch_places);
    return shown.all();
  };
  return all(one) == all(other);
}

std::string difference(const record::RunRecord& one, const record::RunRecord& other) {
  if (one.outcome != other.outcome)
    return fmt::format("was {} instead of {}", name_of(one.outcome), name_of(other.outcome));
  if (one.steps != other.steps) return fmt::format("took {} steps instead of {}", one.steps, other.steps);
  if (one.decision_hash != other.decision_hash || one.order_hash != other.order_hash) return "took other steps";
  if (one.met_races != other.met_races)
    return fmt::format("had {} races instead of {}", one.met_races, other.met_races);
  return "wrote, or showed, something else";
}

}  // namespace

Expected<std::unique_ptr<Rewinder>> Rewinder::create(const Setup& setup, os::Guard& guard, int cpu) {
  SNARL_CHECK(setup.rewinding != nullptr);
  return std::unique_ptr<Rewinder>(new Rewinder(setup, guard, cpu));
}

// Others are made by copies: what they write down is not put back, and there are few of them.
bool Rewinder::is_to_rewind(const RunOrder& order) const {
  return is_plain(order) && order.key.index >= setup_.rewinding->begins_at && setup_.rewinding->why().empty();
}

// No further than to the next run that is compared: it is to be the last of its series, with the most runs before it.
size_t Rewinder::room() const {
  if (passed_ < kFirst || !setup_.rewinding->why().empty()) return 1;
  const uint64_t every = setup_.rewinding->compares_every;
  const uint64_t to_next = std::min(every - passed_ % every, kStartEvery - passed_ % kStartEvery);
  return static_cast<size_t>(std::min<uint64_t>(length_, to_next));
}

Status Rewinder::begin(RunOrder order) {
  std::vector<RunOrder> orders;
  orders.push_back(std::move(order));
  return begin_all(std::move(orders));
}

Status Rewinder::begin_all(std::vector<RunOrder> orders) {
  SNARL_CHECK(!busy() && !orders.empty());
  orders_ = std::move(orders);
  came_ = {};
  again_.clear();
  if (!setup_.rewinding->why().empty()) rewinding_.reset();
  if (is_to_rewind(orders_.front())) return begin_rewound();
  give_back_from(1);
  again_.push_back({orders_.front()});
  return begin_next();
}

void Rewinder::give_back_from(size_t nth) {
  for (; nth < orders_.size(); ++nth) came_.not_begun.push_back(orders_[nth]);
}

// The fibers that are ready at main are those of the profile: where the program's memory lies depends on them.
Status Rewinder::begin_rewound() {
  const Profile& profile = orders_.front().key.profile;
  if (rewinding_ && !need_same_stacks(profile, prepared_)) rewinding_->abandon();
  prepared_ = profile;
  began_ = os::now_seconds();
  Status begun = make(rewinding_, Mode::kRewind);
  if (begun) begun = rewinding_->begin_series(orders_);
  at_work_ = begun ? rewinding_.get() : nullptr;
  if (begun) return begun;
  take_death({}, begun.error().message);
  return begin_next();
}

Status Rewinder::make(std::unique_ptr<Worker>& worker, Mode mode) {
  if (worker) return Done{};
  Expected<std::unique_ptr<Worker>> made = Worker::create(setup_, guard_, mode, cpu_);
  if (!made) return made.error();
  worker = std::move(*made);
  return Done{};
}

Status Rewinder::begin_next() {
  std::unique_ptr<Worker>& worker = again_.front().mode == Mode::kExec ? starting_ : copying_;
  if (Status made = make(worker, again_.front().mode); !made) return made;
  Status begun = worker->begin(again_.front().order);
  at_work_ = begun ? worker.get() : nullptr;
  return begun;
}

void Rewinder::add_to(std::vector<pollfd>& fds) const {
  if (at_work_ != nullptr) at_work_->add_to(fds);
}

// What goes wrong with the process that rewinds is no reason to stop: there are copies.
Expected<std::optional<Came>> Rewinder::advance() {
  if (!busy()) return std::optional<Came>();
  Expected<std::optional<Came>> done = at_work_->advance();
  if (at_work_ == rewinding_.get()) {
    if (done && !done->has_value()) return done;
    done ? take_series() : take_death({}, done.error().message);
    return next_or_end();
  }
  if (!done || !done->has_value()) {
    if (!done) at_work_ = nullptr;
    return done;
  }
  record::RunRecord& record = *(*done)->record;
  compare(again_.front(), record, at_work_->output_hash());
  came_.ended.push_back({again_.front().order, std::move(record)});
  again_.pop_front();
  return next_or_end();
}

// A single order comes back as any executor's.
Expected<std::optional<Came>> Rewinder::next_or_end() {
  at_work_ = nullptr;
  if (!again_.empty()) {
    if (Status begun = begin_next(); !begun) return begun.error();
    return std::optional<Came>();
  }
  if (orders_.size() == 1 && came_.ended.size() == 1)
    came_.record = std::move(came_.ended.front().record), came_.ended.clear();
  return std::optional(std::exchange(came_, {}));
}

void Rewinder::take_series() {
  SeriesEnd end = rewinding_->series_end();
  if (rewinding_->has_process()) return take_end(std::move(end));
  std::string why = rewinding_->rewind_obstacle();
  ++deaths_;
  // The next process prepares as many threads as the profile says then.
  if (why.empty() && rewinding_->was_ended_by(SIGSYS) && ++unprepared_ == kMostUnprepared) why = kUnprepared;
  take_death(std::move(end), why);
}

// The process has ended in the run that was begun last. A copy makes that run, whatever it was. The first of the runs
// before it began as in a new process; what the others saw is not known.
void Rewinder::take_death(SeriesEnd end, const std::string& why) {
  length_ = 1;
  if (!why.empty()) {
    setup_.rewinding->demote(why);
    again_.push_back({orders_.front()});
    return give_back_from(1);
  }
  const size_t last = end.begun == 0 ? 0 : end.begun - 1;
  if (last != 0 && !end.records.empty()) take_passed(0, end, false);
  again_.push_back({orders_[last]});
  for (size_t i = last != 0 && !end.records.empty() ? 1 : 0; i < orders_.size(); ++i)
    if (i != last) came_.not_begun.push_back(orders_[i]);
  look_whether_it_pays();
}

void Rewinder::take_end(SeriesEnd end) {
  const size_t believed = end.records.size();
  if (believed == 0) return take_death({}, "the process of a schedule says nothing of it");
  const size_t passed = believed - (end.last_passed ? 0 : 1);
  const uint64_t before = std::exchange(passed_, passed_ + passed);
  setup_.rewinding->note_rewound(passed);
  for (size_t i = 0; i < passed; ++i) take_passed(i, end, i + 1 == passed && is_sample(before, passed_));
  if (passed < believed) {
    ++failed_;
    again_.push_back({orders_[passed], std::move(end.records[passed]), end.outputs[passed]});
  }
  give_back_from(believed);
  adapt(believed == end.begun, os::now_seconds() - began_);
  look_whether_it_pays();
}

void Rewinder::take_passed(size_t nth, SeriesEnd& end, bool is_sample) {
  record::RunRecord& record = end.records[nth];
  const uint64_t output = end.outputs[nth];
  const bool starts = is_sample && passed_ % kStartEvery == 0;
  if (is_sample || !is_right(record, output))
    return again_.push_back({orders_[nth], std::move(record), output, starts ? Mode::kExec : Mode::kFork});
  came_.ended.push_back({orders_[nth], std::move(record)});
}

bool Rewinder::is_sample(uint64_t before, uint64_t after) const {
  const auto crosses = [=](uint64_t every) { return before / every != after / every; };
  return before < kFirst || crosses(setup_.rewinding->compares_every) || crosses(kStartEvery);
}

// Somebody expects certain outputs: one that a copy has shown to be right is so again.
bool Rewinder::is_right(const record::RunRecord& record, uint64_t output) const {
  return setup_.expectations == nullptr || right_.contains({output, record.exit_code});
}

// Long series are for programs whose runs write to the same pages each time.
void Rewinder::adapt(bool was_clean, double seconds) {
  if (!was_clean)
    length_ = std::max<size_t>(length_ / 4, 1);
  else if (seconds > kLongestSeries)
    length_ = std::max<size_t>(length_ / 2, 1);
  else if (orders_.size() >= length_)
    length_ = std::min<size_t>(length_ * 2, wire::kMaxSeries);
}

void Rewinder::look_whether_it_pays() {
  const uint64_t runs = passed_ + failed_ + deaths_;
  if (runs < kEnoughToJudge) return;
  if (deaths_ * kRarely > runs && deaths_ > kMostUnprepared)
    setup_.rewinding->demote("schedules that end the process, so that it must start anew");
  if (failed_ > passed_) setup_.rewinding->demote("failures: most schedules have one, and a copy makes those again");
}

// A run in which a watchdog had a say may go otherwise each time.
void Rewinder::compare(const Again& run, const record::RunRecord& again, uint64_t output) {
  if (again.outcome == OutcomeKind::kOk && setup_.expectations != nullptr && right_.size() < kMostOutputs)
    right_.insert({output, again.exit_code});
  if (!run.rewound) return;
  const bool ended = again.outcome != OutcomeKind::kNone && again.outcome != OutcomeKind::kTimeout;
  if (!ended || !again.repeatable || !run.rewound->repeatable || !again.obstacle.empty()) return;
  setup_.rewinding->note_compared();
  // Whether an output is right is for the copy to say.
  const bool judged = again.outcome == OutcomeKind::kWrongOutput || setup_.expectations != nullptr;
  record::RunRecord rewound = *run.rewound;
  if (judged) rewound.outcome = again.outcome;
  if (!is_same(rewound, again) || output != run.output || !show_same(rewound.learned, again.learned, run.order))
    setup_.rewinding->distrust(fmt::format("a difference: schedule {:#x}:{} {} in a process that had made others",
                                           run.order.key.seed, run.order.key.index, difference(rewound, again)));
}

void Rewinder::abandon() {
  for (Worker* worker : {rewinding_.get(), copying_.get(), starting_.get()})
    if (worker != nullptr) worker->abandon();
  at_work_ = nullptr;
  again_.clear();
  came_ = {};
}

std::optional<std::vector<pid_t>> Rewinder::children() const {
  std::vector<pid_t> all;
  for (const Worker* worker : {rewinding_.get(), copying_.get(), starting_.get()}) {
    if (worker == nullptr) continue;
    const std::optional<std::vector<pid_t>> some = worker->children();
    if (!some) return std::nullopt;
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

}  // namespace snarl::explore
