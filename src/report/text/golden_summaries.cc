#include "report/text/golden_findings.h"

namespace snarl::report {

Summary nothing_found() {
  Summary s;
  s.version = "0.1.0";
  s.command = {"./bank", "--fast"};
  s.seed = 0x5eed;
  s.schedules = 20'000;
  s.seconds = 60.02;
  s.cpu_seconds = 110.5;
  s.switching = {"gates", "real threads, one at a time, on one core"};
  s.reset = {"fork", "the default: a fork server at main"};
  s.policy = {{"random", 10'000, 0}, {"pct:depth=3", 10'000, 0}};
  s.points_seen = 41;
  s.threads = 3;
  s.steps = 41;
  s.bound = {{"pct:depth=2", 2, 3, 41, 10'000, 1.0}, {"pct:depth=3", 3, 3, 41, 9'998, 0.8624, 400, 20, 490, 2}};
  s.distinct_schedules = 4'120;
  s.orders = {20'000, 812, 45, 312};
  s.repeatable = {20, 20};
  s.profiles = {{0, 0, 2, 64}, {1, 20, 3, 41}};
  s.output = "snarl-out";
  return s;
}

Summary two_findings() {
  Summary s = nothing_found();
  s.failing_schedules = 214;
  s.bound.clear();  // a failing run may hide another bug
  s.keep_going = true;
  s.policy = {{"random", 10'000, 200, 0.02, 0.017345, 0.022943, 7},
              {"pct:depth=3", 10'000, 14, 0.0014, 0.000765, 0.002348, 23}};
  s.repeatable = {19, 20};
  s.unconfirmed = 1;
  s.lost = 2;
  s.chosen_deadlines = {1234, 200};
  s.interrupted = true;
  s.findings = {{"0001",
                 "deadlock",
                 "deadlock lock bank+0x1209",
                 "bank.cc:22",
                 "transfer",
                 "random",
                 0x5eed,
                 12,
                 3,
                 {},
                 "snarl-out/findings/0001-deadlock-9c41e0",
                 210,
                 true,
                 "deadlock bank.cc:22 in transfer",
                 {{"random", 200}, {"pct:depth=3", 10}}},
                {"0002",
                 "signal",
                 "signal 11",
                 "connection_manager.cc:1042",
                 "f",
                 "pct:depth=3",
                 0x5eed,
                 44,
                 1,
                 2,
                 "snarl-out/findings/0002-signal-112233",
                 4,
                 false,
                 "SIGSEGV connection_manager.cc:1042 in database::Connection::begin_transaction",
                 {{"pct:depth=3", 4}}}};
  return s;
}

Summary suppressed_and_noted() {
  Summary s = nothing_found();
  s.notes = {{"exit_holding", "T1 hold holds mutex table (taken at exit.c:14) when main ends the process.", 252}};
  s.suppressions_file = "known.txt";
  s.suppressions = {{"unlock_* function=helper", 2, 1, 200}, {"hang module=libelsewhere.so", 5, 0, 0}};
  return s;
}

}  // namespace snarl::report
