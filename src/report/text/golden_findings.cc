#include "report/text/golden_findings.h"

#include <fmt/format.h>

namespace snarl::report {
namespace {

Location at(const char* file, int line, const char* function) {
  return {.function = function, .file = file, .path = std::string("/home/ann/") + file, .line = line, .module = "prog"};
}

Location library(const char* function) {
  return {.function = function, .module = "libstdc++.so.6", .offset = 0x42, .system = true};
}

FindingDocument base(const char* kind, const char* headline) {
  FindingDocument f;
  f.id = "0001";
  f.kind = kind;
  f.signature = kind;
  f.hash = "9c41e0";
  f.headline = headline;
  f.confirmed = true;
  f.policy = "pct:depth=2";
  f.key.seed = 0x5eed;
  f.key.index = 9120;
  f.schedules_before = 9120;
  f.seconds = 4.7;
  f.key.profile.threads = 3;
  f.key.profile.steps = 41;
  f.program = "/home/ann/prog";
  f.argv = {"./prog"};
  f.folder = fmt::format("snarl-out/findings/0001-{}-9c41e0", kind);
  f.commands = {{"Replay", "snarl replay 0001"}};
  return f;
}

DocumentThread thread(uint32_t ordinal, const char* label, const char* state) {
  DocumentThread t{.ordinal = ordinal, .name = ordinal == 0 ? "main" : fmt::format("T{}", ordinal)};
  t.label = label;
  t.state = state;
  if (ordinal != 0) t.creator = "main", t.created_at = at("bank.cc", 39, "main");
  return t;
}

DocumentThread waiting(DocumentThread t, const char* waits, const char* object, const char* held_by,
                       const Location& place) {
  t.waits = waits;
  t.waits_for = object;
  t.held_by = held_by;
  t.place = place;
  t.stack = {place};
  return t;
}

DocumentRow row(Step step, uint32_t t, const char* text, const Location& place = {}, const char* note = "") {
  const std::string all = text;
  DocumentRow r{.step = step, .thread = t, .operation = all.substr(0, all.find(' ')), .text = text};
  r.place = place;
  r.note = note;
  return r;
}

DocumentRow stop(uint32_t t, const char* reason, const char* text, const Location& place = {}, const char* note = "") {
  DocumentRow r = row(0, t, text, place, note);
  r.reason = reason;
  return r;
}

DocumentRow never(uint32_t t, const char* operation, const char* text, const Location& place, const char* note = "") {
  DocumentRow r = row(0, t, text, place, note);
  r.operation = operation;
  r.granted = false;
  return r;
}

}  // namespace

FindingDocument deadlock_of_two() {
  FindingDocument f = base("deadlock", "deadlock");
  const Location first = at("bank.cc", 21, "transfer"), second = at("bank.cc", 22, "transfer"),
                 join = at("bank.cc", 41, "main");
  f.objects = {{"mutex", "A", true, first}, {"mutex", "B", true, first}};
  f.threads = {waiting(thread(0, "", "blocked"), "waits for T1 to end", "T1", "", join),
               waiting(thread(1, "pay_in", "blocked"), "waits for B", "B", "T2", second),
               waiting(thread(2, "pay_out", "blocked"), "waits for A", "A", "T1", second)};
  f.threads[1].holds = {{"A", first, {first, at("bank.cc", 31, "pay_in")}}};
  f.threads[2].holds = {{"B", first, {first, at("bank.cc", 35, "pay_out")}}};
  f.threads[1].stack = {library("std::mutex::lock"), second, at("bank.cc", 31, "pay_in"), library("clone")};
  f.threads[2].stack = {library("std::mutex::lock"), second, at("bank.cc", 35, "pay_out"), library("clone")};
  f.rows = {row(0, 0, "create T1", at("bank.cc", 39, "main")),
            row(1, 0, "after create", at("bank.cc", 39, "main")),
            row(2, 0, "create T2", at("bank.cc", 40, "main")),
            row(3, 0, "after create", at("bank.cc", 40, "main")),
            stop(0, "blocked", "wait T1", join),
            row(4, 1, "start"),
            row(5, 1, "lock A", first),
            stop(1, "preempted", "preempted by policy"),
            row(6, 2, "start"),
            row(7, 2, "lock B", first),
            stop(2, "blocked", "wait A", second, "held by T1"),
            never(1, "lock", "wait B", second, "held by T2")};
  f.decisions = {{3, 0, 1, "blocked", "join", 3, join},
                 {5, 1, 2, "preempted", "lock", 2, second},
                 {7, 2, 1, "blocked", "lock", 2, second}};
  f.line = "S0---S1--P2--S1x";
  f.switches = 3;
  f.steps = 7;
  f.place = second;
  f.summary = "deadlock bank.cc:22 in transfer";
  return f;
}

FindingDocument deadlock_of_three_names() {
  FindingDocument f = base("deadlock", "deadlock");
  const char* names[] = {"database::connection_pool.mutex", "cache::global_index.lock", "log::sink.writer_mutex"};
  const char* functions[] = {"database::Connection::begin_transaction", "cache::Index::evict_oldest_entries",
                             "log::Sink::rotate_and_compress"};
  f.threads = {
      waiting(thread(0, "", "blocked"), "waits for T2 to end", "T2", "", at("src/server/main.cc", 212, "main"))};
  for (uint32_t i = 0; i < 3; ++i) {
    f.objects.push_back({"mutex", names[i], false, {}});
    const std::string waits = std::string("waits for ") + names[(i + 1) % 3];
    const std::string holder = fmt::format("T{}", (i + 1) % 3 + 1);
    const Location place = at("src/server/connection_manager.cc", 1042 + static_cast<int>(i), functions[i]);
    f.threads.push_back(
        waiting(thread(i + 1, "request-worker", "blocked"), waits.c_str(), names[(i + 1) % 3], holder.c_str(), place));
    f.threads.back().holds = {{names[i], place, {}}};
    f.rows.push_back(row(i + 3, i + 1, fmt::format("lock {}", names[i]).c_str(), place));
    f.rows.push_back(i < 2 ? stop(i + 1, "preempted", "preempted by policy")
                           : stop(i + 1, "blocked", fmt::format("wait {}", names[(i + 1) % 3]).c_str(), place,
                                  ("held by " + holder).c_str()));
  }
  f.decisions = {{3, 1, 2, "preempted", "lock", 1, {}},
                 {4, 2, 3, "preempted", "lock", 1, {}},
                 {5, 3, 1, "blocked", "lock", 1, {}}};
  f.switches = 3;
  f.steps = 5;
  f.schedules_before = 0;
  f.place = f.threads[1].place;
  f.summary = "deadlock connection_manager.cc:1042 in database::Connection::begin_transaction";
  return f;
}

FindingDocument missed_signal() {
  FindingDocument f = base("deadlock", "deadlock");
  const Location wait = at("queue.c", 31, "consume"), signal = at("queue.c", 18, "produce"),
                 join = at("queue.c", 52, "main");
  f.objects = {{"mutex", "lock", false, {}}, {"condition", "filled", false, {}}};
  f.threads = {waiting(thread(0, "", "blocked"), "waits for T1 to end", "T1", "", join),
               waiting(thread(1, "consume", "blocked"), "waits for a signal of filled", "filled", "", wait),
               thread(2, "produce", "ended")};
  f.rows = {row(5, 1, "start"),
            stop(1, "preempted", "preempted by policy"),
            row(6, 2, "start"),
            row(7, 2, "lock lock", at("queue.c", 16, "produce")),
            row(8, 2, "signal filled", signal),
            row(10, 2, "unlock lock", at("queue.c", 19, "produce")),
            row(12, 2, "exit"),
            stop(2, "ended", "ended"),
            row(13, 1, "lock lock", at("queue.c", 29, "consume")),
            row(14, 1, "wait filled", wait, "releases lock"),
            stop(1, "blocked", "wait filled", {}, "for a signal")};
  f.decisions = {
      {4, 0, 1, "blocked", "join", 3, {}}, {5, 1, 2, "preempted", "lock", 1, {}}, {12, 2, 1, "ended", "exit", 6, {}}};
  f.switches = 3;
  f.steps = 14;
  f.place = wait;
  f.summary = "deadlock queue.c:31 in consume";
  return f;
}

FindingDocument failed_assertion() {
  FindingDocument f = base("assert", "assertion failed");
  const Location check = at("src/account.cc", 31, "Account::withdraw");
  f.message = "src/account.cc:31: void Account::withdraw(int): Assertion `balance_ >= 0' failed.";
  f.err_tail = "withdrawing 700\nprog: " + f.message + "\n";
  f.failing_thread = 2;
  f.objects = {{"mutex", "A", true, at("src/account.cc", 24, "Account::withdraw")}};
  f.threads = {waiting(thread(0, "", "blocked"), "waits for T1 to end", "T1", "", at("src/account.cc", 50, "main")),
               thread(1, "spender", "ready"), thread(2, "main::{lambda}", "failed")};
  f.threads[1].pending = "lock A";
  f.threads[1].place = at("src/account.cc", 28, "Account::withdraw");
  f.threads[2].place = check;
  f.threads[2].stack = {library("abort"),
                        library("__assert_fail"),
                        check,
                        library("std::__invoke"),
                        at("src/account.cc", 44, "main::{lambda}"),
                        library("clone")};
  const Location lock = at("src/account.cc", 24, "Account::withdraw"),
                 unlock = at("src/account.cc", 26, "Account::withdraw");
  f.rows = {row(3, 1, "start"),
            row(4, 1, "lock A", lock),
            row(5, 1, "unlock A", unlock),
            row(6, 1, "after unlock", unlock),
            stop(1, "preempted", "preempted by policy"),
            row(7, 2, "start"),
            row(8, 2, "lock A", lock),
            row(9, 2, "unlock A", unlock),
            row(10, 2, "after unlock", unlock),
            row(11, 2, "lock A", at("src/account.cc", 28, "Account::withdraw")),
            row(12, 2, "unlock A", at("src/account.cc", 30, "Account::withdraw")),
            row(13, 2, "after unlock", unlock),
            never(2, "fail", "assertion failed", check)};
  f.decisions = {{2, 0, 1, "blocked", "join", 3, {}}, {6, 1, 2, "preempted", "lock", 4, {}}};
  f.switches = 2;
  f.steps = 13;
  f.schedules_before = 1;
  f.seconds = 0.004;
  f.place = check;
  f.summary = "assertion failed account.cc:31 in Account::withdraw";
  f.commands.push_back({"Debug", "snarl replay 0001 --gdb"});
  return f;
}

FindingDocument segmentation_fault() {
  FindingDocument f = base("signal", "SIGSEGV");
  const Location use = at("pool.cc", 88, "Pool::run");
  f.signal = "SIGSEGV";
  f.fault_address = 0x18;
  f.failing_thread = 1;
  f.threads = {thread(0, "", "ready"), thread(1, "Pool::run", "failed")};
  f.threads[0].pending = "join T1";
  f.threads[0].place = at("pool.cc", 120, "main");
  f.threads[1].place = use;
  f.threads[1].stack = {use, at("pool.cc", 71, "Pool::start::{lambda}")};
  f.rows = {row(0, 0, "create T1", at("pool.cc", 117, "main")), stop(0, "preempted", "preempted by policy"),
            row(1, 1, "start"), never(1, "fail", "SIGSEGV", use)};
  f.decisions = {{0, 0, 1, "preempted", "after", 1, at("pool.cc", 117, "main")}};
  f.switches = 1;
  f.steps = 1;
  f.policy = "random";
  f.confirmed = false;
  f.place = use;
  f.summary = "SIGSEGV pool.cc:88 in Pool::run";
  return f;
}

FindingDocument wrong_exit_code() {
  FindingDocument f = base("exit", "exit code 3");
  f.exit_code = 3;
  f.out_tail = "items 1\nitems 2\n";
  for (int i = 1; i <= 9; ++i)
    f.err_tail += fmt::format("check {}: {}\n", i, i == 9 ? "expected 2000, got 1900" : "ok");
  f.threads = {thread(0, "", "failed"), thread(1, "add", "ended")};
  f.threads[0].place = at("sum.c", 61, "main");
  f.rows = {row(4, 1, "lock total_lock", at("sum.c", 20, "add")),
            row(5, 1, "unlock total_lock", at("sum.c", 22, "add")),
            row(7, 1, "exit"),
            stop(1, "ended", "ended"),
            row(8, 0, "join T1", at("sum.c", 55, "main")),
            never(0, "fail", "exit code 3", at("sum.c", 61, "main"))};
  f.decisions = {{7, 1, 0, "ended", "exit", 5, {}}};
  f.switches = 1;
  f.steps = 8;
  f.place = at("sum.c", 61, "main");
  f.summary = "exit code 3 sum.c:61 in main";
  return f;
}

FindingDocument nine_threads() {
  FindingDocument f = deadlock_of_two();
  const Location work = at("bank.cc", 52, "audit");
  for (uint32_t i = 3; i < 12; ++i) {
    f.threads.push_back(waiting(thread(i, "audit", "blocked"), "waits for A", "A", "T1", work));
    f.rows.insert(f.rows.begin() + 4, {row(3, i, "start"), stop(i, "blocked", "wait A", work, "held by T1")});
  }
  return f;
}

FindingDocument two_thousand_steps() {
  FindingDocument f = deadlock_of_two();
  f.rows.clear();
  f.decisions.clear();
  uint32_t running = 1;
  for (Step step = 1; step <= 2000; ++step) {
    const bool lock = step % 2 == 1;
    f.rows.push_back(row(step, running, lock ? "lock C" : "unlock C", at("bank.cc", lock ? 60 : 62, "count")));
    if (step % 97 != 0) continue;
    f.rows.push_back(stop(running, "preempted", "preempted by policy"));
    f.decisions.push_back({step, running, 3 - running, "preempted", "lock", step, {}});
    running = 3 - running;
  }
  const FindingDocument two = deadlock_of_two();
  for (size_t i = 6; i < two.rows.size(); ++i)
    f.rows.push_back(two.rows[i]), f.rows.back().step += two.rows[i].step ? 2000 : 0;
  f.objects.push_back({"mutex", "C", true, at("bank.cc", 60, "count")});
  f.steps = 2007;
  f.switches = f.decisions.size();
  return f;
}

FindingDocument hostile_texts() {
  FindingDocument f = failed_assertion();
  f.message = "evil.cc:1: Assertion `\x1b[2J\x1b]0;owned\x07' failed\r\nsecond line\xff\xc3(\xe2\x80\xae gnp.exe\n" +
              std::string(300, 'x');
  f.err_tail = std::string("nul\0 ", 5) +
               "\x1b[31mred\x1b[0m and \x9b"
               "1m\n\xf0\x9f\x98\x80 fine\n";
  f.threads[2].label = "T\x1b[5m2\n\t|";
  f.threads[2].stack[2].function = std::string("f<") + std::string(200, 'y') + ">\x1b[0m";
  f.threads[2].stack[2].file = std::string("/very") + std::string(150, '/') + "\x7f.cc";
  f.rows.back().text = "assertion \xc2\x9b failed";
  f.objects[0].name = "A\x1b";
  f.policy = "p\ncat";
  f.folder = "out\x1b[0m";
  f.commands = {{"Re\x1bplay", "snarl replay \x1b"}};
  f.summary = "assertion failed \x1b[31mevil.cc\n:1";
  return f;
}

FindingDocument without_trace() {
  FindingDocument f = deadlock_of_two();
  f.rows.clear();
  f.objects.clear();
  for (DocumentThread& t : f.threads) {
    t.label.clear();
    t.place = {.function = "prog+0x11c9", .module = "prog", .offset = 0x11c9};
    t.stack = {t.place};
    t.holds.clear();
  }
  f.summary = "deadlock prog+0x11c9";
  return f;
}

// Two readers of one lock that both want to write, and a third thread at a barrier.
FindingDocument upgraded_lock() {
  FindingDocument f = base("deadlock", "deadlock");
  const Location read = at("table.cc", 30, "update"), write = at("table.cc", 33, "update"),
                 meet = at("table.cc", 50, "report"), join = at("table.cc", 61, "main");
  f.objects = {{"rwlock", "table.lock", false, {}}, {"barrier", "A", true, at("table.cc", 58, "main")}};
  f.threads = {waiting(thread(0, "", "blocked"), "waits for T1 to end", "T1", "", join),
               waiting(thread(1, "update", "blocked"), "waits to write lock table.lock", "table.lock", "T1", write),
               waiting(thread(2, "update", "blocked"), "waits to write lock table.lock", "table.lock", "T2", write),
               waiting(thread(3, "report", "blocked"), "waits at barrier A (1 of 3 has arrived)", "A", "", meet)};
  f.threads[1].holds = f.threads[2].holds = {{"table.lock", read, {}, "reading"}};
  f.rows = {row(7, 3, "barrier A", meet),
            stop(3, "blocked", "wait A", {}, "for the others"),
            row(8, 1, "read lock table.lock", read),
            stop(1, "preempted", "preempted by policy"),
            row(9, 2, "read lock table.lock", read),
            stop(2, "blocked", "wait table.lock", write, "held by itself, T1"),
            never(1, "write_lock", "wait table.lock", write, "held by itself, T2")};
  f.decisions = {{7, 3, 1, "blocked", "barrier_pass", 1, {}}, {8, 1, 2, "preempted", "write_lock", 1, {}}};
  f.switches = 2;
  f.steps = 9;
  f.place = write;
  f.summary = "deadlock table.cc:33 in update";
  return f;
}

// A wait with a deadline that comes before the signal.
FindingDocument early_timeout() {
  FindingDocument f = base("assert", "assertion failed");
  const Location wait = at("queue.c", 31, "consume"), check = at("queue.c", 33, "consume");
  f.message = "queue.c:33: consume: Assertion `filled' failed.";
  f.failing_thread = 1;
  f.threads = {thread(0, "", "ready"), thread(1, "consume", "failed")};
  f.threads[0].pending = "post slots";
  f.threads[0].place = at("queue.c", 50, "main");
  f.threads[1].place = check;
  f.threads[1].stack = {check};
  f.rows = {row(2, 1, "start"),
            row(3, 1, "lock lock", at("queue.c", 29, "consume")),
            row(4, 1, "wait ready", wait, "releases lock"),
            stop(1, "blocked", "wait ready", {}, "for a signal"),
            row(5, 1, "timed out"),
            row(6, 0, "sem wait slots", at("queue.c", 48, "main")),
            stop(0, "preempted", "preempted by policy"),
            row(7, 1, "reacquire lock", wait, "timed out"),
            never(1, "fail", "assertion failed", check)};
  f.decisions = {{1, 0, 1, "preempted", "sem_wait", 1, {}},
                 {4, 1, 1, "blocked", "reacquire", 3, {}, false, true},
                 {5, 1, 0, "ended", "exit", 1, {}, true, false},
                 {6, 0, 1, "preempted", "sem_post", 2, {}}};
  f.switches = 4;
  f.steps = 7;
  f.place = check;
  f.deadline = {0.5, 2, "T1", wait, "main", at("queue.c", 48, "main")};
  f.summary = "assertion failed queue.c:33 in consume";
  return f;
}

// Ended after its time.
FindingDocument spinning() {
  FindingDocument f = base("timeout", "timeout");
  const Location unlock = at("spin.cc", 5, "waiter");
  f.message =
      "The program had not come to its end after 10 s and was ended. T1 had the turn: it loops or blocks between "
      "two schedule points, or needs more time (--timeout).";
  f.threads = {waiting(thread(0, "", "unknown"), "stopped at join", "", "", at("spin.cc", 7, "main")),
               waiting(thread(1, "waiter", "running"), "had the turn, last step: after unlock", "", "", unlock),
               waiting(thread(2, "", "unknown"), "had not started", "", "", {})};
  f.threads[2].stack.clear();
  f.rows = {row(3, 0, "create T2", at("spin.cc", 7, "main")), stop(0, "blocked", "wait join", at("spin.cc", 7, "main")),
            row(4, 1, "lock m", at("spin.cc", 4, "waiter")), row(5, 1, "unlock m", unlock)};
  f.decisions = {{3, 0, 1, "blocked", "join", 2, {}}};
  f.switches = 1;
  f.steps = 6;
  f.place = unlock;
  f.summary = "timeout spin.cc:5 in waiter";
  return f;
}

// A misuse; the run itself ended well.
FindingDocument stolen_lock() {
  FindingDocument f = base("unlock_not_owner", "unlock by another thread");
  const Location steal = at("pool.c", 16, "helper"), lock = at("pool.c", 9, "owner");
  f.message = "T2 helper unlocks mutex table.lock, which T1 owner holds.";
  f.failing_thread = 2;
  f.deeds = {{"T2 helper unlocks table.lock", steal, {steal, at("pool.c", 30, "give_back")}},
             {"T1 owner locked table.lock", lock, {lock}}};
  f.threads = {thread(0, "", "unknown"), thread(1, "owner", "ended"), thread(2, "helper", "unknown")};
  f.rows = {row(2, 1, "lock table.lock", lock),
            row(5, 2, "unlock table.lock", steal),
            {.thread = 2, .operation = "fail", .text = f.headline, .place = steal, .granted = false}};
  f.place = steal;
  f.summary = "unlock by another thread pool.c:16 in helper";
  return f;
}

FindingDocument polite_pair() {
  FindingDocument f = base("livelock", "livelock");
  const Location spin = at("move.c", 10, "move");
  f.threads = {waiting(thread(0, "", "blocked"), "waits for T1 to end", "T1", "", at("move.c", 29, "main")),
               waiting(thread(1, "to_right", "spinning"), "spins: trylock right", "", "", spin),
               waiting(thread(2, "to_left", "spinning"), "spins: yield", "", "", spin)};
  f.threads[1].holds = {{"left", at("move.c", 9, "move"), {}, ""}};
  f.threads[2].holds = {{"right", at("move.c", 9, "move"), {}, ""}};
  f.place = spin;
  f.summary = "livelock move.c:10 in move";
  return f;
}

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
