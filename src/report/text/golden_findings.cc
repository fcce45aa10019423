#include "report/text/golden_findings.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace snarl::report {
namespace {

Location at(const char* file, int line, const char* function) {
  return {.function = function, .file = file, .path = std::string("/home/ann/") + file, .line = line, .module = "prog"};
}

Location library(const char* function) {
  return {.function = function, .module = "libstdc++.so.6", .offset = 0x42, .system = true};
}

Finding base(OutcomeKind outcome) {
  Finding f;
  f.id = "0001";
  f.outcome = outcome;
  f.signature = name_of(outcome);
  f.hash = "9c41e0";
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
  f.folder = fmt::format("snarl-out/findings/0001-{}-9c41e0", name_of(outcome));
  f.commands = {{"Replay", "snarl replay 0001"}};
  return f;
}

FindingAct on_object(OpKind kind, uint32_t object, uint32_t second = kNoObject) {
  return {.kind = kind, .object = object, .second = second};
}
FindingAct on_thread(OpKind kind, uint32_t thread) { return {.kind = kind, .thread = thread}; }
FindingAct plain(OpKind kind) { return {.kind = kind}; }
FindingAct after(OpKind kind) { return {.kind = OpKind::kAfter, .after = kind}; }

FindingObject named(ObjectKind kind, const char* name) { return {.kind = kind, .name = name}; }
FindingObject lettered(ObjectKind kind, const char* name, const Location& first) {
  return {.kind = kind, .name = name, .letter = true, .first = first};
}

FindingThread thread(uint32_t ordinal, const char* label, ThreadState state) {
  FindingThread t{.ordinal = ordinal};
  t.label = label;
  t.state = state;
  if (ordinal != 0) t.creator = 0, t.created_at = at("bank.cc", 39, "main");
  return t;
}

FindingThread doing(FindingThread t, Doing what, const FindingAct& act, const Location& place) {
  t.doing = what;
  t.act = act;
  t.place = place;
  t.stack = {place};
  return t;
}

FindingThread waiting(uint32_t ordinal, const char* label, const FindingAct& act, uint32_t held_by,
                      const Location& place) {
  FindingThread t = doing(thread(ordinal, label, ThreadState::kBlocked), Doing::kWaits, act, place);
  t.held_by = held_by;
  return t;
}

// Is about to do something else.
FindingThread ready(uint32_t ordinal, const char* label, const FindingAct& act, const Location& place) {
  FindingThread t = doing(thread(ordinal, label, ThreadState::kReady), Doing::kPending, act, place);
  t.stack.clear();
  return t;
}

FindingRow row(Step step, uint32_t t, const FindingAct& act, const Location& place = {}) {
  return {.step = step, .thread = t, .act = act, .place = place};
}

FindingRow stop(uint32_t t, Reason reason, const FindingAct& act, const Location& place = {},
                std::vector<uint32_t> holders = {}) {
  FindingRow r = row(0, t, act, place);
  r.kind = RowKind::kSwitch;
  r.reason = reason;
  r.holders = std::move(holders);
  return r;
}

FindingRow preempted(uint32_t t) { return stop(t, Reason::kPreempted, {}); }

FindingRow never(uint32_t t, const FindingAct& act, const Location& place, std::vector<uint32_t> holders) {
  FindingRow r = row(0, t, act, place);
  r.kind = RowKind::kNeverGranted;
  r.holders = std::move(holders);
  return r;
}

FindingRow fails(uint32_t t, const Location& place) {
  FindingRow r = row(0, t, {}, place);
  r.kind = RowKind::kFailure;
  return r;
}

constexpr Reason kPreempted = Reason::kPreempted, kBlocked = Reason::kBlocked, kEnded = Reason::kEnded;

}  // namespace

Finding deadlock_of_two() {
  Finding f = base(OutcomeKind::kDeadlock);
  const Location first = at("bank.cc", 21, "transfer"), second = at("bank.cc", 22, "transfer"),
                 join = at("bank.cc", 41, "main"), create1 = at("bank.cc", 39, "main"),
                 create2 = at("bank.cc", 40, "main");
  const FindingAct lock_a = on_object(OpKind::kLock, 0), lock_b = on_object(OpKind::kLock, 1),
                   join_1 = on_thread(OpKind::kJoin, 1);
  f.objects = {lettered(ObjectKind::kMutex, "A", first), lettered(ObjectKind::kMutex, "B", first)};
  f.threads = {waiting(0, "", join_1, kNobody, join), waiting(1, "pay_in", lock_b, 2, second),
               waiting(2, "pay_out", lock_a, 1, second)};
  f.threads[1].holds = {{0, first, {first, at("bank.cc", 31, "pay_in")}}};
  f.threads[2].holds = {{1, first, {first, at("bank.cc", 35, "pay_out")}}};
  f.threads[1].stack = {library("std::mutex::lock"), second, at("bank.cc", 31, "pay_in"), library("clone")};
  f.threads[2].stack = {library("std::mutex::lock"), second, at("bank.cc", 35, "pay_out"), library("clone")};
  f.rows = {row(0, 0, on_thread(OpKind::kCreate, 1), create1),
            row(1, 0, after(OpKind::kCreate), create1),
            row(2, 0, on_thread(OpKind::kCreate, 2), create2),
            row(3, 0, after(OpKind::kCreate), create2),
            stop(0, kBlocked, join_1, join),
            row(4, 1, plain(OpKind::kStart)),
            row(5, 1, lock_a, first),
            preempted(1),
            row(6, 2, plain(OpKind::kStart)),
            row(7, 2, lock_b, first),
            stop(2, kBlocked, lock_a, second, {1}),
            never(1, lock_b, second, {2})};
  f.decisions = {{3, 0, 1, kBlocked, OpKind::kJoin, 3, join},
                 {5, 1, 2, kPreempted, OpKind::kLock, 2, second},
                 {7, 2, 1, kBlocked, OpKind::kLock, 2, second}};
  f.switches = 3;
  f.steps = 7;
  f.place = second;
  return f;
}

Finding explained_deadlock() {
  Finding f = deadlock_of_two();
  const Location first = at("bank.cc", 21, "transfer"), second = at("bank.cc", 22, "transfer");
  const FindingAct lock_a = on_object(OpKind::kLock, 0), lock_b = on_object(OpKind::kLock, 1);
  f.pattern = {PatternKind::kAbba,
               {{1, lock_a, first, 5}, {1, lock_b, second}, {2, lock_b, first, 7}, {2, lock_a, second}}};
  f.cause = {.known = true,
             .enough = true,
             .runs = 500,
             .failed = 500,
             .priority_runs = 200,
             .priority_failed = 200,
             .tries = 1183};
  f.cause.constraints = {{{{1, lock_a, first}}, {2, lock_a, second}, 200, 88},
                         {{{2, lock_b, first, 0, 2}}, {1, lock_b, second}, 200, 97}};
  return f;
}

Finding deadlock_of_three_names() {
  Finding f = base(OutcomeKind::kDeadlock);
  const char* names[] = {"database::connection_pool.mutex", "cache::global_index.lock", "log::sink.writer_mutex"};
  const char* functions[] = {"database::Connection::begin_transaction", "cache::Index::evict_oldest_entries",
                             "log::Sink::rotate_and_compress"};
  f.threads = {waiting(0, "", on_thread(OpKind::kJoin, 2), kNobody, at("src/server/main.cc", 212, "main"))};
  for (uint32_t i = 0; i < 3; ++i) {
    f.objects.push_back(named(ObjectKind::kMutex, names[i]));
    const uint32_t wanted = (i + 1) % 3;
    const FindingAct lock = on_object(OpKind::kLock, wanted);
    const Location place = at("src/server/connection_manager.cc", 1042 + static_cast<int>(i), functions[i]);
    f.threads.push_back(waiting(i + 1, "request-worker", lock, wanted + 1, place));
    f.threads.back().holds = {{i, place, {}}};
    f.rows.push_back(row(i + 3, i + 1, on_object(OpKind::kLock, i), place));
    f.rows.push_back(i < 2 ? preempted(i + 1) : stop(i + 1, kBlocked, lock, place, {wanted + 1}));
  }
  f.decisions = {{3, 1, 2, kPreempted, OpKind::kLock, 1, {}},
                 {4, 2, 3, kPreempted, OpKind::kLock, 1, {}},
                 {5, 3, 1, kBlocked, OpKind::kLock, 1, {}}};
  f.switches = 3;
  f.steps = 5;
  f.schedules_before = 0;
  f.place = f.threads[1].place;
  return f;
}

Finding missed_signal() {
  Finding f = base(OutcomeKind::kDeadlock);
  const Location wait = at("queue.c", 31, "consume"), signal = at("queue.c", 18, "produce"),
                 join = at("queue.c", 52, "main");
  const FindingAct lock = on_object(OpKind::kLock, 0), reacquire = on_object(OpKind::kReacquire, 1, 0);
  f.objects = {named(ObjectKind::kMutex, "lock"), named(ObjectKind::kCondition, "filled")};
  f.threads = {waiting(0, "", on_thread(OpKind::kJoin, 1), kNobody, join),
               waiting(1, "consume", reacquire, kNobody, wait), thread(2, "produce", ThreadState::kEnded)};
  f.rows = {row(5, 1, plain(OpKind::kStart)),
            preempted(1),
            row(6, 2, plain(OpKind::kStart)),
            row(7, 2, lock, at("queue.c", 16, "produce")),
            row(8, 2, on_object(OpKind::kSignal, 1), signal),
            row(10, 2, on_object(OpKind::kUnlock, 0), at("queue.c", 19, "produce")),
            row(12, 2, plain(OpKind::kExit)),
            stop(2, kEnded, {}),
            row(13, 1, lock, at("queue.c", 29, "consume")),
            row(14, 1, on_object(OpKind::kWait, 1, 0), wait),
            stop(1, kBlocked, reacquire)};
  f.decisions = {{4, 0, 1, kBlocked, OpKind::kJoin, 3, {}},
                 {5, 1, 2, kPreempted, OpKind::kLock, 1, {}},
                 {12, 2, 1, kEnded, OpKind::kExit, 6, {}}};
  f.switches = 3;
  f.steps = 14;
  f.place = wait;
  return f;
}

Finding failed_assertion() {
  Finding f = base(OutcomeKind::kAssert);
  const Location check = at("src/account.cc", 31, "Account::withdraw");
  f.message = "src/account.cc:31: void Account::withdraw(int): Assertion `balance_ >= 0' failed.";
  f.err_tail = "withdrawing 700\nprog: " + f.message + "\n";
  f.failing_thread = 2;
  f.objects = {lettered(ObjectKind::kMutex, "A", at("src/account.cc", 24, "Account::withdraw"))};
  const Location lock = at("src/account.cc", 24, "Account::withdraw"),
                 unlock = at("src/account.cc", 26, "Account::withdraw"),
                 again = at("src/account.cc", 28, "Account::withdraw"),
                 last = at("src/account.cc", 30, "Account::withdraw");
  const FindingAct lock_a = on_object(OpKind::kLock, 0), unlock_a = on_object(OpKind::kUnlock, 0);
  f.threads = {waiting(0, "", on_thread(OpKind::kJoin, 1), kNobody, at("src/account.cc", 50, "main")),
               ready(1, "spender", lock_a, again), thread(2, "main::{lambda}", ThreadState::kFailed)};
  f.threads[2].place = check;
  f.threads[2].stack = {library("abort"),
                        library("__assert_fail"),
                        check,
                        library("std::__invoke"),
                        at("src/account.cc", 44, "main::{lambda}"),
                        library("clone")};
  f.rows = {row(3, 1, plain(OpKind::kStart)),
            row(4, 1, lock_a, lock),
            row(5, 1, unlock_a, unlock),
            row(6, 1, after(OpKind::kUnlock), unlock),
            preempted(1),
            row(7, 2, plain(OpKind::kStart)),
            row(8, 2, lock_a, lock),
            row(9, 2, unlock_a, unlock),
            row(10, 2, after(OpKind::kUnlock), unlock),
            row(11, 2, lock_a, again),
            row(12, 2, unlock_a, last),
            row(13, 2, after(OpKind::kUnlock), unlock),
            fails(2, check)};
  f.decisions = {{2, 0, 1, kBlocked, OpKind::kJoin, 3, {}}, {6, 1, 2, kPreempted, OpKind::kLock, 4, {}}};
  f.switches = 2;
  f.steps = 13;
  f.schedules_before = 1;
  f.seconds = 0.004;
  f.place = check;
  f.commands.push_back({"Debug", "snarl replay 0001 --gdb"});
  return f;
}

Finding segmentation_fault() {
  Finding f = base(OutcomeKind::kSignal);
  const Location use = at("pool.cc", 88, "Pool::run"), create = at("pool.cc", 117, "main");
  f.signal = 11;
  f.fault_address = 0x18;
  f.failing_thread = 1;
  f.threads = {ready(0, "", on_thread(OpKind::kJoin, 1), at("pool.cc", 120, "main")),
               thread(1, "Pool::run", ThreadState::kFailed)};
  f.threads[1].place = use;
  f.threads[1].stack = {use, at("pool.cc", 71, "Pool::start::{lambda}")};
  f.rows = {row(0, 0, on_thread(OpKind::kCreate, 1), create), preempted(0), row(1, 1, plain(OpKind::kStart)),
            fails(1, use)};
  f.decisions = {{0, 0, 1, kPreempted, OpKind::kAfter, 1, create}};
  f.switches = 1;
  f.steps = 1;
  f.policy = "random";
  f.confirmed = false;
  f.place = use;
  return f;
}

Finding wrong_exit_code() {
  Finding f = base(OutcomeKind::kExit);
  f.exit_code = 3;
  f.out_tail = "items 1\nitems 2\n";
  for (int i = 1; i <= 9; ++i)
    f.err_tail += fmt::format("check {}: {}\n", i, i == 9 ? "expected 2000, got 1900" : "ok");
  f.objects = {named(ObjectKind::kMutex, "total_lock")};
  f.threads = {thread(0, "", ThreadState::kFailed), thread(1, "add", ThreadState::kEnded)};
  f.threads[0].place = at("sum.c", 61, "main");
  f.rows = {row(4, 1, on_object(OpKind::kLock, 0), at("sum.c", 20, "add")),
            row(5, 1, on_object(OpKind::kUnlock, 0), at("sum.c", 22, "add")),
            row(7, 1, plain(OpKind::kExit)),
            stop(1, kEnded, {}),
            row(8, 0, on_thread(OpKind::kJoin, 1), at("sum.c", 55, "main")),
            fails(0, at("sum.c", 61, "main"))};
  f.decisions = {{7, 1, 0, kEnded, OpKind::kExit, 5, {}}};
  f.switches = 1;
  f.steps = 8;
  f.place = at("sum.c", 61, "main");
  return f;
}

Finding nine_threads() {
  Finding f = deadlock_of_two();
  const Location work = at("bank.cc", 52, "audit");
  const FindingAct lock_a = on_object(OpKind::kLock, 0);
  for (uint32_t i = 3; i < 12; ++i) {
    f.threads.push_back(waiting(i, "audit", lock_a, 1, work));
    f.rows.insert(f.rows.begin() + 4, {row(3, i, plain(OpKind::kStart)), stop(i, kBlocked, lock_a, work, {1})});
  }
  return f;
}

Finding two_thousand_steps() {
  Finding f = deadlock_of_two();
  f.rows.clear();
  f.decisions.clear();
  uint32_t running = 1;
  for (Step step = 1; step <= 2000; ++step) {
    const bool lock = step % 2 == 1;
    f.rows.push_back(row(step, running, on_object(lock ? OpKind::kLock : OpKind::kUnlock, 2),
                         at("bank.cc", lock ? 60 : 62, "count")));
    if (step % 97 != 0) continue;
    f.rows.push_back(preempted(running));
    f.decisions.push_back({step, running, 3 - running, kPreempted, OpKind::kLock, step, {}});
    running = 3 - running;
  }
  const Finding two = deadlock_of_two();
  for (size_t i = 6; i < two.rows.size(); ++i)
    f.rows.push_back(two.rows[i]), f.rows.back().step += two.rows[i].step ? 2000 : 0;
  f.objects.push_back(lettered(ObjectKind::kMutex, "C", at("bank.cc", 60, "count")));
  f.steps = 2007;
  f.switches = f.decisions.size();
  return f;
}

Finding hostile_texts() {
  Finding f = failed_assertion();
  f.message = "evil.cc:1: Assertion `\x1b[2J\x1b]0;owned\x07' failed\r\nsecond line\xff\xc3(\xe2\x80\xae gnp.exe\n" +
              std::string(300, 'x');
  f.err_tail = std::string("nul\0 ", 5) +
               "\x1b[31mred\x1b[0m and \x9b"
               "1m\n\xf0\x9f\x98\x80 fine\n";
  f.threads[2].label = "T\x1b[5m2\n\t|";
  f.threads[2].stack[2].function = std::string("f<") + std::string(200, 'y') + ">\x1b[0m";
  f.threads[2].stack[2].file = std::string("/very") + std::string(150, '/') + "\x7f.cc";
  f.rows[8].act = {.kind = OpKind::kUser, .label = "assertion \xc2\x9b failed"};
  f.objects[0].name = "A\x1b";
  f.policy = "p\ncat";
  f.folder = "out\x1b[0m";
  f.commands = {{"Re\x1bplay", "snarl replay \x1b"}};
  f.place = {.file = "\x1b[31mevil.cc\n", .line = 1};
  return f;
}

Finding without_trace() {
  Finding f = deadlock_of_two();
  f.rows.clear();
  for (FindingObject& object : f.objects) object.letter = false;
  for (FindingThread& t : f.threads) {
    t.label.clear();
    t.place = {.function = "prog+0x11c9", .module = "prog", .offset = 0x11c9};
    t.stack = {t.place};
    t.holds.clear();
  }
  f.place = f.threads[1].place;
  return f;
}

// Two readers of one lock that both want to write, and a third thread at a barrier.
Finding upgraded_lock() {
  Finding f = base(OutcomeKind::kDeadlock);
  const Location read = at("table.cc", 30, "update"), write = at("table.cc", 33, "update"),
                 meet = at("table.cc", 50, "report"), join = at("table.cc", 61, "main");
  const FindingAct write_lock = on_object(OpKind::kWriteLock, 0), read_lock = on_object(OpKind::kReadLock, 0),
                   pass = on_object(OpKind::kBarrierPass, 1);
  f.objects = {named(ObjectKind::kRwlock, "table.lock"),
               lettered(ObjectKind::kBarrier, "A", at("table.cc", 58, "main"))};
  f.threads = {waiting(0, "", on_thread(OpKind::kJoin, 1), kNobody, join), waiting(1, "update", write_lock, 1, write),
               waiting(2, "update", write_lock, 2, write), waiting(3, "report", pass, kNobody, meet)};
  f.threads[3].arrived = 1, f.threads[3].expected = 3;
  f.threads[1].holds = f.threads[2].holds = {{0, read, {}, Holding::kReading}};
  f.rows = {row(7, 3, on_object(OpKind::kBarrierWait, 1), meet),
            stop(3, kBlocked, pass),
            row(8, 1, read_lock, read),
            preempted(1),
            row(9, 2, read_lock, read),
            stop(2, kBlocked, write_lock, write, {2, 1}),
            never(1, write_lock, write, {1, 2})};
  f.decisions = {{7, 3, 1, kBlocked, OpKind::kBarrierPass, 1, {}}, {8, 1, 2, kPreempted, OpKind::kWriteLock, 1, {}}};
  f.switches = 2;
  f.steps = 9;
  f.place = write;
  return f;
}

// A wait with a deadline that comes before the signal.
Finding early_timeout() {
  Finding f = base(OutcomeKind::kAssert);
  const Location wait = at("queue.c", 31, "consume"), check = at("queue.c", 33, "consume");
  const FindingAct reacquire = on_object(OpKind::kReacquire, 1, 0);
  f.message = "queue.c:33: consume: Assertion `filled' failed.";
  f.failing_thread = 1;
  f.objects = {named(ObjectKind::kMutex, "lock"), named(ObjectKind::kCondition, "ready"),
               named(ObjectKind::kSemaphore, "slots")};
  f.threads = {ready(0, "", on_object(OpKind::kSemPost, 2), at("queue.c", 50, "main")),
               thread(1, "consume", ThreadState::kFailed)};
  f.threads[1].place = check;
  f.threads[1].stack = {check};
  f.rows = {row(2, 1, plain(OpKind::kStart)),
            row(3, 1, on_object(OpKind::kLock, 0), at("queue.c", 29, "consume")),
            row(4, 1, on_object(OpKind::kWait, 1, 0), wait),
            stop(1, kBlocked, reacquire),
            row(5, 1, plain(OpKind::kTimeout)),
            row(6, 0, on_object(OpKind::kSemWait, 2), at("queue.c", 48, "main")),
            preempted(0),
            row(7, 1, reacquire, wait),
            fails(1, check)};
  f.rows[4].kind = RowKind::kTimedOut;
  f.rows[7].act.result = ETIMEDOUT;
  f.decisions = {{1, 0, 1, kPreempted, OpKind::kSemWait, 1, {}},
                 {4, 1, 1, kBlocked, OpKind::kReacquire, 3, {}, false, true},
                 {5, 1, 0, kEnded, OpKind::kExit, 1, {}, true, false},
                 {6, 0, 1, kPreempted, OpKind::kSemPost, 2, {}}};
  f.switches = 4;
  f.steps = 7;
  f.place = check;
  f.deadline = {.nanoseconds = 500'000'000,
                .count = 2,
                .thread = 1,
                .set_at = wait,
                .other = 0,
                .other_at = at("queue.c", 48, "main")};
  return f;
}

// Ended after its time.
Finding spinning() {
  Finding f = base(OutcomeKind::kTimeout);
  const Location unlock = at("spin.cc", 5, "waiter"), create = at("spin.cc", 7, "main");
  f.run_seconds = 10;
  f.last_to_run = 1;
  f.objects = {named(ObjectKind::kMutex, "m")};
  f.threads = {doing(thread(0, "", ThreadState::kUnknown), Doing::kStoppedAt, plain(OpKind::kJoin), create),
               doing(thread(1, "waiter", ThreadState::kRunning), Doing::kHadTurnAfter, after(OpKind::kUnlock), unlock),
               doing(thread(2, "", ThreadState::kUnknown), Doing::kNotStarted, {}, {})};
  f.threads[2].stack.clear();
  f.rows = {row(3, 0, on_thread(OpKind::kCreate, 2), create),
            stop(0, kBlocked, {.kind = OpKind::kJoin, .kind_only = true}, create),
            row(4, 1, on_object(OpKind::kLock, 0), at("spin.cc", 4, "waiter")),
            row(5, 1, on_object(OpKind::kUnlock, 0), unlock)};
  f.decisions = {{3, 0, 1, kBlocked, OpKind::kJoin, 2, {}}};
  f.switches = 1;
  f.steps = 6;
  f.place = unlock;
  return f;
}

// A misuse; the run itself ended well.
Finding stolen_lock() {
  Finding f = base(OutcomeKind::kOk);
  const Location steal = at("pool.c", 16, "helper"), lock = at("pool.c", 9, "owner");
  f.misuse = {.kind = MisuseKind::kUnlockNotOwner,
              .op = OpKind::kUnlock,
              .other_op = OpKind::kLock,
              .thread = 2,
              .other = 1,
              .object = 0,
              .object_kind = ObjectKind::kMutex};
  f.folder = "snarl-out/findings/0001-unlock_not_owner-9c41e0";
  f.failing_thread = 2;
  f.objects = {named(ObjectKind::kMutex, "table.lock")};
  f.deeds = {{DeedKind::kWrongCall, 2, OpKind::kUnlock, steal, {steal, at("pool.c", 30, "give_back")}},
             {DeedKind::kWhatMadeItSo, 1, OpKind::kLock, lock, {lock}}};
  f.threads = {thread(0, "", ThreadState::kUnknown), thread(1, "owner", ThreadState::kEnded),
               thread(2, "helper", ThreadState::kUnknown)};
  f.rows = {row(2, 1, on_object(OpKind::kLock, 0), lock), row(5, 2, on_object(OpKind::kUnlock, 0), steal),
            fails(2, steal)};
  f.place = steal;
  return f;
}

Finding polite_pair() {
  Finding f = base(OutcomeKind::kLivelock);
  const Location spin = at("move.c", 10, "move"), taken = at("move.c", 9, "move");
  f.objects = {named(ObjectKind::kMutex, "left"), named(ObjectKind::kMutex, "right")};
  f.threads = {
      waiting(0, "", on_thread(OpKind::kJoin, 1), kNobody, at("move.c", 29, "main")),
      doing(thread(1, "to_right", ThreadState::kSpinning), Doing::kSpins, on_object(OpKind::kTryLock, 1), spin),
      doing(thread(2, "to_left", ThreadState::kSpinning), Doing::kSpins, plain(OpKind::kYield), spin)};
  f.threads[1].holds = {{0, taken, {}}};
  f.threads[2].holds = {{1, taken, {}}};
  f.place = spin;
  return f;
}

std::vector<Finding> golden_findings() {
  return {
      deadlock_of_two(),    deadlock_of_three_names(), explained_deadlock(), missed_signal(),      failed_assertion(),
      segmentation_fault(), wrong_exit_code(),         nine_threads(),       two_thousand_steps(), hostile_texts(),
      without_trace(),      upgraded_lock(),           early_timeout(),      spinning(),           stolen_lock(),
      polite_pair()};
}

}  // namespace snarl::report
