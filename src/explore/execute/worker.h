// A place where runs happen, one after the other: it starts the processes, watches
// one run to its end and copies it out of the wire.
//
// Driven by an event loop: begin() orders a run, add_to() and wake_at() say what to wait for, advance()
// looks at what happened and returns the record once the run is over. run_to_end() is that loop for a single worker.
// By one thread, which must outlive it: processes die with the thread that started them. Workers of different threads
// share nothing that changes.
#pragma once

#include <poll.h>

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/error.h"
#include "explore/execute/fiber_watch.h"
#include "explore/execute/fork_client.h"
#include "explore/execute/order.h"
#include "explore/execute/sleep_watch.h"
#include "explore/execute/time_limit.h"
#include "explore/target/setup.h"
#include "os/capture.h"
#include "os/guard.h"
#include "os/process.h"
#include "os/system.h"
#include "record/record.h"
#include "record/wire_memory.h"

namespace snarl::explore {

enum class Mode {
  kFork,          // a fork server, one clone per run
  kExec,          // a new process per run
  kUncontrolled,  // a new process per run, without the runtime
  kPassThrough,   // as kExec, with our own stdin, stdout and stderr
  kDebug,         // the same, started by a debugger that finds the wire in its environment
};

class Worker {
 public:
  // `setup` and `guard` must outlive it. cpu: the core to pin to, -1 for none.
  static Expected<std::unique_ptr<Worker>> create(const Setup& setup, os::Guard& guard, Mode mode, int cpu);

  // Orders a run. Must not be busy.
  Status begin(RunOrder order);
  bool busy() const { return phase_ != Phase::kIdle; }

  void add_to(std::vector<pollfd>& fds) const;
  double wake_at() const;  // on the clock of now_seconds()

  // Looks at what happened. Has a value once, when the run is over; an error means that no further run
  // can be had here.
  Expected<std::optional<record::RunRecord>> advance();

  // Ends what is under way, without a record.
  void abandon();

  // Our children on behalf of this worker. While one is being handed over we don't know it yet.
  void add_pids(std::vector<pid_t>& pids) const;
  bool handing_over() const { return phase_ == Phase::kAsked; }

 private:
  enum class Phase { kIdle, kStarting, kAsked, kRunning };

  Worker(const Setup& setup, os::Guard& guard, Mode mode, record::WireMemory wire, os::Pipe out, os::Pipe err)
      : setup_(setup), guard_(guard), mode_(mode), wire_(std::move(wire)), out_(std::move(out)), err_(std::move(err)) {}

  Status start_server();
  Status start_process();
  Status ask();
  Status adopt(pid_t pid);
  void write_command();
  bool switches_on_fibers() const;
  bool watches_fibers() const;
  void write_directive(wire::Layout& layout);
  Status on_starting();
  Status on_asked();
  Status server_failed(const std::string& what, std::optional<os::Ending> ending = {});
  Expected<std::optional<record::RunRecord>> on_running();
  Sharing sharing() const;
  bool is_out_of_time();
  bool is_over_budget() const;
  void look_for_last_switch();
  bool hangs_uncontrolled();
  void look_after_fibers();
  Expected<std::optional<record::RunRecord>> end_run(const os::Ending& ending);
  bool gave_up_fibers();
  record::RunRecord finish(const os::Ending& ending);
  void drain();

  const Setup& setup_;
  os::Guard& guard_;
  const Mode mode_;
  record::WireMemory wire_;
  os::Pipe out_, err_;
  os::Capture captured_out_, captured_err_;

  Phase phase_ = Phase::kIdle;
  RunOrder order_{RunSettings()};
  std::set<std::pair<GroupBy, uint64_t>> known_groups_;         // that were in a record already
  uint64_t run_ = 0;                                            // Command::run of the run under way
  std::shared_ptr<const record::SharedPlaces> written_places_;  // those in the wire
  std::optional<Server> server_;
  std::optional<os::Process> process_;
  int servers_in_vain_ = 0;  // servers in a row that gave no run
  double began_ = 0;
  double deadline_ = 0;
  TimeLimit time_limit_;
  bool timed_out_ = false;
  bool lingers_ = false;  // RunOrder::linger has begun
  std::string obstacle_;  // to fibers: from then on, runs are on gates
  FiberWatch fiber_watch_;
  SleepWatch sleep_watch_;
};

// Orders a run and waits for its end. `stop_fd`: gives up with an error when it becomes readable (-1: none).
Expected<record::RunRecord> run_to_end(Worker& worker, RunOrder order, int stop_fd);

// poll(2) until something happens, `wake_at` comes, or a fd is ready.
void wait_for_events(std::vector<pollfd>& fds, double wake_at);

}  // namespace snarl::explore
