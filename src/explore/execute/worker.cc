#include "explore/execute/worker.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/output_hash.h"
#include "explore/execute/rewinder.h"
#include "explore/target/environment.h"
#include "explore/target/policy_spec.h"
#include "explore/target/spin_loops.h"
#include "os/launch.h"
#include "record/modules.h"
#include "record/settle.h"
#include "record/wire_reader.h"

namespace snarl::explore {
namespace {

constexpr double kServerPatience = 10;     // seconds until main: libraries and constructors of large programs
constexpr double kReadyInterval = 300e-6;  // the server can't tell us that it is ready, so we look
constexpr double kMostScanning = 120;      // seconds: four times what the largest files take
constexpr double kMostOfSeries = 0.1;      // seconds
constexpr int kMostServersInVain = 3;
constexpr int kMostServersKilled = 30;   // from outside, where memory is short for instance: a second or so of them
constexpr int kDyingMilliseconds = 100;  // its socket is closed a little before it has ended

constexpr const char* kBlocked =
    "a thread slept in a call that snarl does not control, and on fibers nobody else runs meanwhile";

std::string ending_text(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

Expected<std::unique_ptr<Worker>> Worker::create(const Setup& setup, os::Guard& guard, Mode mode, int cpu) {
  Expected<record::WireMemory> wire = record::WireMemory::create();
  if (!wire) return wire.error();
  Expected<os::Pipe> out = os::make_pipe();
  if (!out) return out.error();
  Expected<os::Pipe> err = os::make_pipe();
  if (!err) return err.error();
  wire->layout().command.settings = setup.settings;
  wire::Options& options = wire->layout().options;
  options.reset = mode == Mode::kFork     ? wire::Reset::kFork
                  : mode == Mode::kRewind ? wire::Reset::kRewind
                                          : wire::Reset::kExec;
  options.cpu = cpu;
  to_text(setup.functions).copy(options.functions, sizeof options.functions - 1);
  fmt::format("{}", fmt::join(setup.stepped, "\n")).copy(options.stepped, sizeof options.stepped - 1);
  fmt::format("{}", fmt::join(setup.unpatched, "\n")).copy(options.unpatched, sizeof options.unpatched - 1);
  if (setup.scanner.size() < sizeof options.scanner) setup.scanner.copy(options.scanner, sizeof options.scanner - 1);
  if (setup.cache.size() < sizeof options.cache) setup.cache.copy(options.cache, sizeof options.cache - 1);
  for (size_t i = 0; i < setup.plugins.size() && i < wire::kMaxPlugins; ++i)
    setup.plugins[i].copy(options.plugins[i], kMaxPolicyFile - 1);
  auto worker =
      std::unique_ptr<Worker>(new Worker(setup, guard, mode, std::move(*wire), std::move(*out), std::move(*err)));
  if (setup.whole_output) worker->captured_out_ = os::Capture(Expectations::kMostOutput);
  if (setup.expectations == nullptr) return worker;
  Expected<std::unique_ptr<record::OutputCheck>> check = record::OutputCheck::create(setup.expectations);
  if (!check) return check.error();
  worker->check_ = std::move(*check);
  return worker;
}

Status Worker::begin_series(std::vector<RunOrder> orders) {
  SNARL_CHECK(rewinds() && orders.size() <= wire::kMaxSeries);
  series_ = std::move(orders);
  return begin(with_all_tables(series_));
}

Status Worker::begin(RunOrder order) {
  SNARL_CHECK(!busy());
  order_ = std::move(order);
  run_ = last_run_ + 1;
  last_run_ += std::max<size_t>(series_.size(), 1);
  timed_out_ = false;
  lingers_ = false;
  captured_out_.clear();
  captured_err_.clear();
  write_spin_loads();
  if (rewinds()) renew_for_places();
  if (!has_server()) return start_process();
  return server_ ? ask() : start_server();
}

// Code is patched when a process starts: with other loads a new one is needed.
void Worker::write_spin_loads() {
  const record::SharedPlaces ordered = order_.spin_loads ? *order_.spin_loads : record::SharedPlaces();
  if (ordered.all() == spin_loads_.all()) return;
  spin_loads_ = ordered;
  server_.reset();
  record::write_spin_loads(spin_loads_, wire_.layout());
}

// The process that rewinds prepares for the places of an epoch. In most they are those of the last.
void Worker::renew_for_places() {
  static const record::SharedPlaces kNone;
  const auto& fresh = order_.places ? *order_.places : kNone;
  const auto& old = prepared_places_ ? *prepared_places_ : kNone;
  if (server_ && fresh.all() != old.all()) server_.reset();
  prepared_places_ = order_.places;
}

void Worker::write_command() {
  wire_.layout().state.scanning.store(0, std::memory_order_relaxed);  // of a process that was ended meanwhile
  writer_.write(order_, setup_, run_, switches_on_fibers(), wire_.layout());
  if (rewinds()) write_series(series_, run_, wire_.whole());
}

// A run that may have to be run again should not have shown anything to anybody, unless it was asked for.
bool Worker::switches_on_fibers() const {
  const bool wanted = setup_.switching == Switching::kFibers || (setup_.switching == Switching::kAuto && has_server());
  return wanted && !order_.settings.parallel && !order_.on_gates && mode_ != Mode::kUncontrolled && obstacle_.empty();
}

// A program that a debugger has stopped is not asleep, and is nobody's to run again.
bool Worker::watches_fibers() const { return switches_on_fibers() && mode_ != Mode::kDebug; }

static bool has_our_terminal(Mode mode) { return mode == Mode::kPassThrough || mode == Mode::kDebug; }

static std::string preloaded(const Setup& setup) {
  return has_memory_points(setup.settings.points) ? setup.runtime + ":" + heap_library(setup.runtime) : setup.runtime;
}

// What is the same for a server and for a process of one run.
static os::Launch launch_for(const Setup& setup, Mode mode, const os::Fd& input, int out, int err) {
  os::Launch what;
  what.path = setup.target.path;
  what.argv = setup.target.argv;
  what.files = setup.target.start.files;
  what.environment =
      mode == Mode::kUncontrolled ? setup.environment : with_preload(setup.environment, preloaded(setup), setup.target);
  if (mode == Mode::kDebug) {
    what.path = setup.debugger.front();
    what.argv = setup.debugger;
    what.environment = setup.environment;
  }
  if (has_our_terminal(mode)) {
    what.own_group = false;  // so that it may read from the terminal
    return what;
  }
  what.in = input.get();
  what.out = out;
  what.err = err;
  return what;
}

// It gets ready for all orders, not for those of an earlier process.
Status Worker::start_server() {
  wire_.layout().command.settings = setup_.settings;
  wire_.layout().state.scanning.store(0, std::memory_order_relaxed);
  Expected<os::Fd> input = setup_.input->open();
  if (!input) return input.error();
  os::Launch what = launch_for(setup_, mode_, *input, out_.write.get(), err_.write.get());
  Expected<Server> server = Server::start(std::move(what), wire_, guard_);
  if (!server) return server.error();
  server_.emplace(std::move(*server));
  looked_back_ = 0;
  wire_.layout().state.rewind_obstacle[0] = '\0';
  if (check_) check_->forget();
  phase_ = Phase::kStarting;
  begin_start();
  return Done{};
}

Status Worker::start_process() {
  wire_.layout().state.modules = 0;  // of an earlier process
  if (check_) check_->forget();
  write_command();
  Expected<os::Fd> input = has_our_terminal(mode_) ? os::Fd() : setup_.input->open();
  if (!input) return input.error();
  os::Launch what = launch_for(setup_, mode_, *input, out_.write.get(), err_.write.get());
  if (mode_ != Mode::kUncontrolled) {
    what.environment.push_back(wire_variable(wire_.fd(), -1));
    what.keep = {wire_.fd()};
  }
  Expected<pid_t> pid = os::launch(what);
  if (!pid) return pid.error();
  return adopt(*pid);
}

Status Worker::adopt(pid_t pid) {
  Expected<os::Process> process = os::Process::adopt(pid, !has_our_terminal(mode_), guard_);
  if (!process) return process.error();
  process_.emplace(std::move(*process));
  begin_watching(0);
  return Done{};
}

void Worker::begin_watching(double waited_before) {
  phase_ = Phase::kRunning;
  began_ = os::now_seconds();
  time_limit_.begin(began_, setup_.timeout, sharing(), waited_before);
  deadline_ = time_limit_.look_at();
  fiber_watch_.begin(order_.settings.patience, began_);
  sleep_watch_.begin(began_);
}

// How long the process of earlier runs has waited for a core: to ask takes longer than a short run, so not each time.
double Worker::look_back() {
  constexpr double kEvery = 0.1;
  const double now = os::now_seconds();
  if (now < looked_back_ + kEvery) return waited_before_;
  looked_back_ = now;
  return waited_before_ = core_use_of(running_pid(), sharing()).waited;
}

// The process of the run under way ends by itself, or says that this run is over.
std::optional<os::ProcessEnd> Worker::ended() {
  if (!rewinds()) return process_->reap();
  if (const std::optional<Expected<pid_t>> told = server_->reply(); told && *told) return os::ProcessEnd{0};
  const std::optional<os::ProcessEnd> ending = server_->reap();
  if (!ending) return ending;
  ended_by_ = WIFSIGNALED(ending->status) ? WTERMSIG(ending->status) : 0;
  server_.reset();
  return ending;
}

void Worker::kill_run() { rewinds() ? server_->kill() : process_->kill(); }

Status Worker::ask() {
  write_command();
  if (check_) check_->rewind();
  phase_ = Phase::kAsked;
  deadline_ = os::now_seconds() + kServerPatience;
  const Status asked = server_->request(run_);
  if (!asked) return server_failed(asked.error().message);
  if (rewinds()) begin_watching(look_back());
  return asked;
}

Status Worker::on_starting() {
  const wire::Layout& layout = wire_.layout();
  if (const std::optional<os::ProcessEnd> ending = server_->reap())
    return server_failed("the program " + ending_text(ending->status) + " before it reached main under control",
                         ending);
  if (server_->ready(layout)) {
    if (layout.state.version != wire::kWireVersion)
      return Error{fmt::format("{} is of another version of snarl", setup_.runtime), "install snarl again"};
    drain();  // it may have written after the last look, and before it was ready
    if (check_) check_->mark();
    captured_out_.clear();
    captured_err_.clear();
    return ask();
  }
  if (is_scanning()) begin_start();
  if (is_start_over()) return server_failed("the program did not reach main within 10 seconds");
  return Done{};
}

void Worker::begin_start() {
  time_limit_.begin(os::now_seconds(), kServerPatience, Sharing::kInTurn);
  deadline_ = time_limit_.look_at();
}

// Time in which it waited for a core does not count.
bool Worker::is_start_over() {
  const double now = os::now_seconds();
  if (now <= deadline_) return false;
  const bool over = time_limit_.is_over(now, core_use_of(server_->pid(), Sharing::kInTurn));
  deadline_ = time_limit_.look_at();
  return over;
}

Status Worker::on_asked() {
  if (const std::optional<Expected<pid_t>> pid = server_->reply())
    return *pid ? adopt(**pid) : server_failed(pid->error().message);
  if (const std::optional<os::ProcessEnd> ending = server_->reap())
    return server_failed("the program's start process died", ending);
  if (os::now_seconds() > deadline_) return server_failed("the program's start process does not answer");
  return Done{};
}

// Tries with a new server, unless that was tried often enough. One that was killed says little about the next one.
Status Worker::server_failed(const std::string& what, std::optional<os::ProcessEnd> ending) {
  if (!ending) ending = server_->reap_within(kDyingMilliseconds);
  drain();
  server_.reset();
  const bool killed = ending && WIFSIGNALED(ending->status) && WTERMSIG(ending->status) == SIGKILL;
  if (++servers_in_vain_ < (killed ? kMostServersKilled : kMostServersInVain)) return start_server();
  const std::string said = captured_err_.text();
  phase_ = Phase::kIdle;
  return Error{said.empty() ? what : what + "; it wrote:\n" + said, "try --reset exec"};
}

Expected<std::optional<Came>> Worker::on_running() {
  if (const std::optional<os::ProcessEnd> ending = ended()) return end_run(*ending);  // finish() drains
  drain();
  look_for_last_switch();
  if (rewinds()) watch_next_run();
  if (!timed_out_ && (is_out_of_time() || hangs_uncontrolled())) {
    timed_out_ = true;
    kill_run();
  } else if (watches_fibers()) {
    look_after_fibers();
  }
  return std::optional<Came>();
}

// Each run of a series has its time. One that began and ended since the last look was quick. A series that takes long
// ends with the run under way, as there are other things to do.
void Worker::watch_next_run() {
  const double time = os::now_seconds();
  const bool is_late = order_.most_until != 0 && time > order_.most_until;
  if (is_late || time > began_ + kMostOfSeries) wire_.whole().series.stop.store(1, std::memory_order_relaxed);
  const uint64_t now = run_under_way();
  if (now == std::exchange(watched_, now)) return;
  time_limit_.begin(time, setup_.timeout, sharing(), look_back());
  deadline_ = time_limit_.look_at();
  fiber_watch_.begin(order_.settings.patience, time);
}

uint64_t Worker::run_under_way() const {
  const uint64_t said = wire_.layout().state.run;
  return said > run_ && said <= last_run_ ? said : run_;
}

Sharing Worker::sharing() const { return order_.settings.parallel ? Sharing::kSideBySide : Sharing::kInTurn; }

// It has used up its steps, and may take more only to see whether it ends.
bool Worker::is_over_budget() const {
  const wire::State& state = wire_.layout().state;
  const Step budget = order_.settings.step_budget;
  return budget != 0 && state.run == run_under_way() && state.steps > budget;
}

// A file that the program loads is scanned the first time that snarl sees it. That takes time, and ends by itself.
bool Worker::is_scanning() const { return wire_.layout().state.scanning.load(std::memory_order_acquire) != 0; }

bool Worker::is_out_of_time() {
  const double now = os::now_seconds();
  if (order_.most_until != 0 && now > order_.most_until && is_over_budget()) return true;
  if (now <= deadline_ || mode_ == Mode::kUncontrolled) return now > deadline_;
  if (is_scanning() && now < began_ + kMostScanning) {
    time_limit_.begin(now, setup_.timeout, sharing());
    deadline_ = time_limit_.look_at();
    return false;
  }
  const bool over = time_limit_.is_over(now, core_use_of(running_pid(), sharing()));
  deadline_ = time_limit_.look_at();
  return over;
}

// A replay that has made every recorded switch is where the recorded run was when its time was up.
void Worker::look_for_last_switch() {
  const wire::Layout& layout = wire_.layout();
  if (order_.linger == 0 || lingers_ || layout.state.run != run_) return;
  if (layout.state.decisions < layout.command.follow_count) return;
  lingers_ = true;
  time_limit_.begin(os::now_seconds(), order_.linger, sharing(), core_use_of(running_pid(), sharing()).waited);
  deadline_ = time_limit_.look_at();
}

// With the runtime a deadlock is found at once. Without it, somebody must look from outside.
bool Worker::hangs_uncontrolled() {
  if (mode_ != Mode::kUncontrolled) return false;
  return sleep_watch_.look(os::now_seconds(), [this] { return sleeps_for_good(process_->pid()); });
}

void Worker::look_after_fibers() {
  const double now = os::now_seconds();
  if (now < fiber_watch_.next_look()) return;
  const auto see = [this] {
    return see_process(running_pid(), wire_.layout(), captured_out_.size() + captured_err_.size());
  };
  switch (fiber_watch_.look(now, wire_.layout().state.on_fibers.arrivals, see)) {
    case FiberWatch::Verdict::kFine: return;
    case FiberWatch::Verdict::kRunsAway:
      return rewinds() ? server_->send(wire::kWayGivingSignal) : process_->send(wire::kWayGivingSignal);
    case FiberWatch::Verdict::kBlocked: obstacle_ = kBlocked; return kill_run();
  }
}

// What the runtime itself found to be in the way.
bool Worker::gave_up_fibers() {
  const wire::State& state = wire_.layout().state;
  if (!watches_fibers() || state.run != run_under_way() || state.on_fibers.obstacle[0] == '\0') return false;
  const auto& text = state.on_fibers.obstacle;
  obstacle_.assign(text, strnlen(text, sizeof text));
  return state.on_fibers.given_up != 0;
}

// One that could not be on fibers after all is run again, on gates.
Expected<std::optional<Came>> Worker::end_run(const os::ProcessEnd& ending) {
  if (rewinds()) {
    gave_up_fibers();
    phase_ = Phase::kIdle;
    servers_in_vain_ = 0;
    took_ = os::now_seconds() - began_;
    drain();
    return std::optional<Came>(Came());
  }
  const bool blocked = obstacle_ == kBlocked && wire_.layout().command.fibers != 0;
  if (timed_out_ || (!blocked && !gave_up_fibers())) return std::optional<Came>({.record = finish(ending)});
  process_.reset();
  phase_ = Phase::kIdle;
  drain();  // what it wrote is not the next one's
  const Status begun = begin(std::move(order_));
  if (!begun) return begun.error();
  return std::optional<Came>();
}

record::RunRecord Worker::finish(const os::ProcessEnd& ending) {
  process_.reset();
  phase_ = Phase::kIdle;
  servers_in_vain_ = 0;
  drain();
  record::RunRecord record;
  record.key = order_.key;
  record.settings = order_.settings;
  record.functions = setup_.functions;
  record.unpatched = setup_.unpatched;
  record.expectations = setup_.expectations;
  record.seconds = os::now_seconds() - began_;
  record.obstacle = obstacle_;
  if (mode_ != Mode::kUncontrolled) record::read_run(wire_.layout(), run_, record::Detail::kCounters, record);
  record.places = order_.places;
  record.spin_loads = order_.spin_loads;
  record.spin_loops = read_spin_loops(wire_.layout());
  if (order_.settings.learning != Learning::kNothing) record.learned = record::read_learned(wire_.layout());
  if (order_.settings.count) record.counts = record::read_counts(wire_.layout());
  if (order_.settings.list_pairs) record.pairs = record::read_pairs(wire_.layout());
  if (order_.settings.listed_groups != 0) record.groups = record::read_groups(wire_.layout(), known_groups_);
  settle(record, ending);
  if (!order_.settings.trace) leave_out_known_races(record);
  const bool plain = record.outcome == OutcomeKind::kOk && record.misuses.empty() && record.races.empty();
  if (plain && !order_.settings.trace && !order_.keep_all) return record;
  if (mode_ != Mode::kUncontrolled) record::read_run(wire_.layout(), run_, record::Detail::kAll, record);
  settle(record, ending);
  if (record.outcome == OutcomeKind::kTimeout && is_over_budget()) record.outcome = OutcomeKind::kStepBudget;
  record.out = captured_out_.text();
  record.err = captured_err_.text();
  record.out_cut = captured_out_.cut();
  record.err_cut = captured_err_.cut();
  return record;
}

// A program that races does so in each run, and one record says it. Profiling runs say nothing of failures.
void Worker::leave_out_known_races(record::RunRecord& record) {
  if (order_.profiling) record.races.clear();
  std::erase_if(record.races, [this](const wire::RaceEntry& race) {
    const auto kinds = static_cast<uint64_t>(race.weak.is_one == 1) << 16 | static_cast<uint64_t>(race.op) << 8 |
                       static_cast<uint64_t>(race.other_op);
    return !known_races_.insert({race.pc, race.other_pc, kinds}).second;
  });
}

void Worker::settle(record::RunRecord& record, const os::ProcessEnd& ending) const {
  record::settle(record, ending.status, timed_out_);
  if (check_ && !has_our_terminal(mode_)) check_->judge(record);
}

void Worker::drain() {
  captured_out_.drain(out_.read.get(), check_ ? &check_->out() : nullptr);
  captured_err_.drain(err_.read.get(), check_ ? &check_->err() : nullptr);
}

Expected<std::optional<Came>> Worker::advance() {
  if (!busy()) return std::optional<Came>();
  if (phase_ == Phase::kRunning) return on_running();
  if (phase_ == Phase::kStarting) drain();
  const Status status = phase_ == Phase::kStarting ? on_starting() : on_asked();
  if (status) return std::optional<Came>();
  phase_ = Phase::kIdle;
  return status.error();
}

void Worker::add_to(std::vector<pollfd>& fds) const {
  if (!busy()) return;
  if (phase_ == Phase::kAsked)
    return fds.push_back({server_->control(), POLLIN, 0});  // no code of the program runs meanwhile
  fds.push_back({out_.read.get(), POLLIN, 0});
  fds.push_back({err_.read.get(), POLLIN, 0});
  fds.push_back({process_ ? process_->pidfd() : server_->pidfd(), POLLIN, 0});
  if (phase_ == Phase::kRunning && rewinds()) fds.push_back({server_->control(), POLLIN, 0});
}

double Worker::wake_at() const {
  if (phase_ == Phase::kStarting) return os::now_seconds() + kReadyInterval;
  if (timed_out_) return os::now_seconds() + 1;
  if (phase_ != Phase::kRunning) return deadline_;
  const double look_at = order_.linger != 0 && !lingers_ ? os::now_seconds() + TimeLimit::kInterval : deadline_;
  if (mode_ == Mode::kUncontrolled) return std::min(look_at, sleep_watch_.next_look());
  return watches_fibers() ? std::min(look_at, fiber_watch_.next_look()) : look_at;
}

SeriesEnd Worker::series_end() const {
  SeriesEnd end = read_series(series_, has_process(), wire_.whole());
  for (record::RunRecord& record : end.records) {
    record.functions = setup_.functions;
    record.unpatched = setup_.unpatched;
    record.expectations = setup_.expectations;
    record.seconds = took_ / static_cast<double>(std::max<size_t>(end.begun, 1));
  }
  return end;
}

std::string Worker::rewind_obstacle() const {
  if (has_process()) return {};
  const auto& text = wire_.layout().state.rewind_obstacle;
  return obstacle_.empty() ? std::string(text, strnlen(text, sizeof text)) : obstacle_;
}

uint64_t Worker::output_hash() const { return hash_of_outputs(captured_out_.hash(), captured_err_.hash()); }

void Worker::abandon() {
  process_.reset();
  server_.reset();
  phase_ = Phase::kIdle;
  drain();
}

std::optional<std::vector<pid_t>> Worker::children() const {
  if (phase_ == Phase::kAsked) return std::nullopt;
  std::vector<pid_t> pids;
  if (process_) pids.push_back(process_->pid());
  if (server_) pids.push_back(server_->pid());
  return pids;
}

Expected<std::unique_ptr<Executor>> Workers::make(const Setup& setup, Mode mode, int cpu) {
  if (mode == Mode::kRewind) {
    Expected<std::unique_ptr<Rewinder>> rewinder = Rewinder::create(setup, guard_, cpu);
    if (!rewinder) return rewinder.error();
    return std::unique_ptr<Executor>(std::move(*rewinder));
  }
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard_, mode, cpu);
  if (!worker) return worker.error();
  return std::unique_ptr<Executor>(std::move(*worker));
}

}  // namespace snarl::explore
