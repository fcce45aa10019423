#include "explore/campaign/explorer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "explore/campaign/exploring.h"
#include "explore/campaign/predict.h"
#include "explore/campaign/selfcheck.h"
#include "explore/campaign/summarize.h"
#include "os/pinned.h"

namespace snarl::explore {
namespace {

constexpr double kLastRuns = 0.5;            // seconds that runs have to end in when the time is over
constexpr double kAllInAll = 1.7;            // seconds after which everything is over: 2, but for the end of processes
constexpr double kSelfCheckShare = 1.0 / 6;  // of the time at most, if its runs are long
constexpr double kMostProlonged = 10;  // times what the self-check should take: cores have other things to do, too

}  // namespace

Exploration Explorer::run() {
  began_ = os::now_seconds();
  cpu_began_ = os::cpu_seconds();
  if (Status made = make_stations(); made)
    drive_all();
  else
    result_.error = made.error();
  finish();
  if (strays_) strays_->reap({executors_.guard()->pid()});
  return std::move(result_);
}

Status Explorer::make_stations() {
  if (executors_.guard() != nullptr) strays_.emplace();
  for (int cpu : options_.cpus) {
    Expected<Station> station = Station::create(setup_, executors_, strays_ ? &*strays_ : nullptr, cpu);
    if (!station) return station.error();
    stations_.push_back(std::move(*station));
  }
  return Done{};
}

// Ours is the first station. The other threads begin before we are pinned, which they would inherit.
void Explorer::drive_all() {
  std::vector<std::jthread> others;  // joined when we are done
  try {
    for (Station& station : std::span(stations_).subspan(1))
      others.emplace_back(&Explorer::drive, this, std::ref(station));
  } catch (const std::system_error&) {
    const Lock lock(mutex_);
    fail({"can't start a thread for every worker", "use fewer (-j)", 125});
  }
  drive(stations_.front());
}

void Explorer::drive(Station& station) {
  const os::Pinned pinned(station.cpu());
  for (Lock lock(mutex_); !over_;)
    if (Status status = turn(station, lock); !status) fail(status.error());
  station.close();
}

// One turn of a station's event loop. The lock is open while it is at work, or waits for the others.
Status Explorer::turn(Station& station, Lock& lock) {
  const double late = elapsed() - time_for_runs();
  if (late > 0) campaign_.stop();
  if (late > kLastRuns && station.busy() && executors_.guard() != nullptr) give_up(station);
  if (!station.busy()) {
    if (Status handed = hand_out(station); !handed) return handed;
    if (campaign_.outstanding() == 0) return conclude();
    if (!station.busy()) idle_.insert(&station);
  }
  lock.unlock();
  Expected<std::optional<Came>> done = station.work(options_.stop_fd, os::now_seconds() + Pace::kInterval);
  lock.lock();
  idle_.erase(&station);
  if (!done) return done.error();
  if (station.told_to_stop()) result_.interrupted = true, end();
  if (over_) return Done{};
  if (done->has_value())
    if (Status taken = take(station, std::move(**done)); !taken) return taken;
  tell_progress();
  station.reap_strays();
  return Done{};
}

// The self-check comes out of the limit, if its runs take longer than the little time that it has after it. Ranges are
// checked as they come.
double Explorer::time_for_runs() const {
  if (options_.plan.ranges) return options_.seconds;
  const double check = std::max(static_cast<double>(Campaign::kSamples) * pace_.mean_seconds() - kLastRuns, 0.0);
  return options_.seconds - std::min(check, options_.seconds * kSelfCheckShare);
}

// What is under way when time is over could take as long as it likes; not in library mode, where a range ends then.
void Explorer::give_up(Station& station) {
  for (const RunOrder& order : station.all_ordered()) campaign_.drop(order);
  station.abandon();
}

Status Explorer::hand_out(Station& station) {
  if (outdated_.erase(&station) != 0)
    if (Status renewed = station.renew(setup_); !renewed) return renewed;
  if (nothing_to_test()) return Done{};
  if (Status checked = after_profiling_.check(setup_, options_.plan, executors_, campaign_); !checked) return checked;
  if (std::vector<RunOrder> orders = next_orders(station.executor().room()); !orders.empty())
    station.order(std::move(orders));
  return Done{};
}

// As many as there is room for, and as can be made together.
std::vector<RunOrder> Explorer::next_orders(size_t room) {
  std::vector<RunOrder> orders;
  SeriesTables tables;
  while (orders.size() < room) {
    std::optional<RunOrder> order = campaign_.next(!failures_.empty());
    if (!order) break;
    order->on_gates = !obstacle_.empty();
    order->most_until = began_ + options_.seconds;
    if (options_.predict && is_predicted_from(*order)) order->settings.trace = true;
    const bool alone = !is_plain(*order);
    if (!tables.take(*order) || (alone && !orders.empty())) {
      campaign_.give_back(*order);
      break;
    }
    orders.push_back(std::move(*order));
    if (alone) break;
  }
  return orders;
}

// Nothing is under way, and nothing can be until the failures have been looked at.
Status Explorer::conclude() {
  if (Status looked = look_at_failures(); !looked) return looked;
  if (over_ || campaign_.done()) end();
  wake_idle();
  return Done{};
}

// There may be something for them now.
void Explorer::wake_idle() {
  for (Station* station : std::exchange(idle_, {})) station->ring();
}

void Explorer::end() {
  over_ = true;
  for (Station& station : stations_) station.ring();
}

// What another thread said first, stays.
void Explorer::fail(const Error& error) {
  if (!result_.error) result_.error = error;
  end();
}

// A program that never had a second thread has one schedule. One that crashes is worth a finding all the same.
bool Explorer::nothing_to_test() {
  if (!campaign_.just_profiled() || campaign_.most_threads() > 1 || campaign_.profiling_crashed()) return false;
  result_.one_thread = true;
  campaign_.stop();
  return true;
}

void Explorer::tell_progress() {
  const double now = elapsed();
  if (!pace_.is_due(now)) return;
  observer_.on_progress({.schedules = campaign_.schedules(),
                         .distinct = campaign_.distinct(),
                         .orders = campaign_.distinct_orders(),
                         .findings = result_.confirmed,
                         .seconds = now,
                         .rate = pace_.tell(now, campaign_.schedules()),
                         .limit = std::isfinite(options_.seconds) ? options_.seconds : 0,
                         .most_schedules = options_.plan.schedules});
}

void Explorer::finish() {
  // The self-check may take a fifth of the time that the exploration took, and a little more for short ones.
  const Stop stop(options_.stop_fd, std::max(began_ + options_.seconds, os::now_seconds()) + kAllInAll);
  const double spare = elapsed() / 5 + 2;
  summarize(campaign_, options_.plan, setup_, obstacle_, result_.summary);
  result_.seen = failures_.seen();
  result_.groups = campaign_.groups();
  result_.spin_loops = campaign_.spin_loops();
  result_.indices = campaign_.handed_out();
  result_.missing = campaign_.missing();
  for (const PolicyTally& tally : campaign_.tallies())
    result_.failing_at.insert(tally.failing_at.begin(), tally.failing_at.end());
  result_.summary.seconds = elapsed();
  result_.summary.cpu_seconds =
      os::cpu_seconds() - cpu_began_;  // the stations are closed: servers and copies were waited for
  result_.summary.interrupted = result_.interrupted;
  if (!result_.interrupted && !result_.error && pace_.any_run())
    result_.summary.repeatable = check_repeatable(spare, stop);
}

// As many as should fit into `spare` seconds, going by what the runs took: the start of another process, which a busy
// machine draws out, is not to leave one repetition of twenty. Ranges were checked when they came back. In the order in
// which they were made: a process prepares as many threads as earlier runs had, and memory that it prepared beyond that
// moves the program's own.
report::Repeatable Explorer::check_repeatable(double spare, const Stop& stop) {
  std::vector<Sample> samples = campaign_.samples();
  const size_t fit = std::min(samples.size(), repetitions_within(spare, pace_.mean_seconds()));
  samples.erase(samples.begin() + static_cast<ptrdiff_t>(fit), samples.end());
  std::ranges::sort(samples, {}, [](const Sample& sample) { return sample.order.key.index; });
  if (options_.plan.ranges) return {};
  Expected<std::unique_ptr<Executor>> fresh = executors_.make(replays_, fresh_mode_of(replays_), options_.cpus.back());
  return fresh ? self_check(samples, **fresh, spare * kMostProlonged, stop) : report::Repeatable();
}

Exploration explore(const Setup& setup, const ExploreOptions& options, Executors& executors, Observer& observer) {
  return Explorer(setup, options, executors, observer).run();
}

}  // namespace snarl::explore
