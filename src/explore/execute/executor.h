// Where runs happen, one after the other: a fork server, new processes, or children of a test's own process.
//
// Driven by an event loop: begin() orders a run, add_to() and wake_at() say what to wait for, advance() looks at what
// happened and returns what came of the order once it is over. run_to_end() is that loop for a single executor. By one
// thread, which must outlive it: processes die with the thread that started them. Executors of different threads share
// nothing that changes.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "explore/execute/order.h"
#include "explore/target/setup.h"
#include "os/guard.h"
#include "record/record.h"
#include "schedule/order_tally.h"

namespace snarl::explore {

// What all ranges so far have shown of partial orders.
struct RangeOrders {
  uint64_t runs = 0;                     // whose order is known
  uint64_t distinct = 0;                 // estimated
  uint64_t last_new = 0;                 // the index of the last run that showed a new one
  std::vector<OrderTally> tallies = {};  // of the last epoch, by policy
};

// What the runs of a range add up to, but for one that ended the process.
struct RangeSum {
  wire::BatchState state = {};        // every index and count is checked
  record::SharedPlaces learned = {};  // places that were seen to be shared
  record::SitePairs pairs = {};       // of sites, that were met
  uint64_t distinct = 0;              // schedules of all ranges so far, estimated
  RangeOrders orders = {};
};

struct Ended {
  RunOrder order;
  record::RunRecord record;
};

// What came of an order. A run: its record. A range: the sum, and the record of the run that ended the process before
// the range was over, if one did. Several orders: a record for each, but for those that were not begun.
struct Came {
  std::optional<record::RunRecord> record = {};
  std::optional<RangeSum> sum = {};
  std::vector<Ended> ended = {};
  std::vector<RunOrder> not_begun = {};
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Must not be busy. An order with a range is for executors that may_batch().
  virtual Status begin(RunOrder order) = 0;
  // How many orders begin_all() would take now. All but the first must be is_plain(), and all must have the same
  // SeriesTables.
  virtual size_t room() const { return 1; }
  virtual Status begin_all(std::vector<RunOrder> orders) { return begin(std::move(orders.front())); }
  virtual bool busy() const = 0;

  virtual void add_to(std::vector<pollfd>& fds) const = 0;
  virtual double wake_at() const = 0;  // on the clock of now_seconds()

  // Looks at what happened. Has a value once, when the order is over; an error means that no further run can be made.
  virtual Expected<std::optional<Came>> advance() = 0;

  // Ends what is under way, without a record.
  virtual void abandon() = 0;

  virtual bool may_batch() const { return false; }
  // Does every run have a process of its own? A run that is ordered by itself always has.
  virtual bool is_fresh() const { return true; }
  // From now on, every run is to have one: `why`, for people.
  virtual void distrust(const std::string&) {}

  // Our children on its behalf; none: one is being handed over, and its id is not known yet.
  virtual std::optional<std::vector<pid_t>> children() const { return std::vector<pid_t>(); }
};

enum class Mode {
  kFork,          // a fork server, one clone per run
  kExec,          // a new process per run
  kRewind,        // one process for many runs, which puts itself back; what it can't do is done as kFork
  kUncontrolled,  // a new process per run, without the runtime
  kPassThrough,   // as kExec, with our own stdin, stdout and stderr
  kDebug,         // the same, started by a debugger that finds the wire in its environment
};

// The mode of a campaign's runs.
inline Mode mode_of(const Setup& setup) {
  if (setup.reset == wire::Reset::kRewind) return Mode::kRewind;
  return setup.reset == wire::Reset::kFork ? Mode::kFork : Mode::kExec;
}
// The same, where each run has a process of its own.
inline Mode fresh_mode_of(const Setup& setup) { return setup.reset == wire::Reset::kExec ? Mode::kExec : Mode::kFork; }

// Makes the executors of an exploration. Any thread may ask.
class Executors {
 public:
  virtual ~Executors() = default;

  // `setup` must outlive it. cpu: the core to pin to, -1 for none.
  virtual Expected<std::unique_ptr<Executor>> make(const Setup& setup, Mode mode, int cpu) = 0;

  // What looks after the processes if we die; null: these can't outlive us. Without one there is the mode kFork only,
  // and no process comes to us that an executor does not know.
  virtual os::Guard* guard() = 0;
};

// When the caller stops waiting for runs.
struct Stop {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  Stop(int stop_fd = -1, double when = kNever) : fd(stop_fd), at(when) {}
  bool is_late() const;

  int fd;     // when it becomes readable; -1: never
  double at;  // on the clock of now_seconds()
};

// Orders a run and waits for its end. Gives up with an error.
Expected<record::RunRecord> run_to_end(Executor& executor, RunOrder order, const Stop& stop);

// poll(2) until something happens, `wake_at` comes, or a fd is ready.
void wait_for_events(std::vector<pollfd>& fds, double wake_at);

}  // namespace snarl::explore
