#include "explain/diagnose/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <limits>

#include "base/rng.h"
#include "explain/diagnose/rounds.h"
#include "explain/diagnose/test_records.h"
#include "record/modules.h"
#include "report/formats/finding_json.h"
#include "report/text/finding.h"
#include "report/text/one_line.h"

namespace snarl::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The test program itself is the module whose places are named.
[[gnu::noinline]] int transfer() { return std::rand(); }
[[gnu::noinline]] int pay_in() { return transfer() + 1; }
int checking_lock, savings_lock;

wire::Module this_program() {
  static char path[456];
  wire::Module m;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        auto& found = *static_cast<wire::Module*>(out);
        found.bias = info->dlpi_addr;
        found.begin = std::numeric_limits<uint64_t>::max();
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& p = info->dlpi_phdr[i];
          if (p.p_type != PT_LOAD) continue;
          found.begin = std::min<uint64_t>(found.begin, info->dlpi_addr + p.p_vaddr);
          found.end = std::max<uint64_t>(found.end, info->dlpi_addr + p.p_vaddr + p.p_memsz);
        }
        return 1;  // the first is the program
      },
      &m);
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  std::memcpy(m.path, path, size > 0 ? static_cast<size_t>(size) : 0);
  return m;
}

uint64_t inside(int (*function)()) { return reinterpret_cast<uint64_t>(function) + 1; }

TEST(Diagnose, ADeadlockOfHeapMutexes) {
  const report::Finding f = finding_of(unknown_deadlock());
  EXPECT_THAT(texts(f), ElementsAre("main create T1", "main wait T1", "T1 start", "T1 lock A", "T1 preempted by policy",
                                    "T2 start", "T2 lock B", "T1 wait B (held by T2)", "T2 wait A (held by T1)"));
  EXPECT_EQ(doing(f, 1), "waits for B");
  EXPECT_EQ(f.threads[1].held_by, 2u);
  EXPECT_EQ(f.threads[1].holds[0].object, 0u);
  EXPECT_EQ(doing(f, 0), "waits for T1 to end");
  EXPECT_EQ(summary_of(f), "deadlock bank+0x200");
  EXPECT_EQ(one_line_schedule(f), "S0S1--P2--x");
  EXPECT_EQ(f.commands[0].command, "snarl replay 0001");
}

TEST(Diagnose, GlobalsAndFunctionsHaveTheirNames) {
  const report::Finding f =
      finding_of(deadlock(reinterpret_cast<uint64_t>(&checking_lock), reinterpret_cast<uint64_t>(&savings_lock),
                          inside(pay_in), inside(transfer), this_program()));
  const std::string& name = f.objects[f.threads[1].holds[0].object].name;
  EXPECT_EQ(name.substr(name.rfind(':') + 1), "checking_lock");
  EXPECT_EQ(f.place.function.substr(f.place.function.rfind(':') + 1), "transfer");
  EXPECT_THAT(f.place.file, HasSubstr("diagnose_test.cc"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("SUMMARY: snarl: deadlock diagnose_test.cc:"));
}

TEST(Diagnose, WithoutATraceTheSwitchesRemain) {
  record::RunRecord r = unknown_deadlock();
  r.events.clear();
  symbolize::Symbolizer symbolizer;
  const report::Finding f = diagnose(r, nullptr, symbolizer, context());
  EXPECT_THAT(texts(f), ElementsAre("main wait join", "T1 preempted by policy"));
}

TEST(Diagnose, ATraceOfAnotherFailureIsNotUsed) {
  const record::RunRecord failed = unknown_deadlock();
  record::RunRecord other = failed;
  other.outcome = OutcomeKind::kOk;
  other.threads.clear();
  symbolize::Symbolizer symbolizer;
  EXPECT_EQ(diagnose(failed, &other, symbolizer, context()).threads.size(), 3u);
}

TEST(Diagnose, AnAssertionEndsInTheFailingThread) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kAssert;
  r.message = "bank.cc:3: x > 0";
  r.failing_thread = 2;
  r.threads[2].enabled = 1;
  const report::Finding f = finding_of(r);
  EXPECT_EQ(f.rows.back().kind, report::RowKind::kFailure);
  EXPECT_EQ(f.rows.back().thread, 2u);
  EXPECT_EQ(f.threads[2].state, report::ThreadState::kFailed);
  EXPECT_EQ(message_of(f), r.message);
  EXPECT_THAT(summary_of(f), HasSubstr("assertion failed"));
}

TEST(Diagnose, AnAbortTellsTheExceptionThatNobodyCaught) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kSignal;
  r.signal = 6;
  EXPECT_EQ(message_of(finding_of(r)), "");
  r.err = "hello\nterminate called after throwing an instance of 'int'\n";
  EXPECT_EQ(message_of(finding_of(r)), "An exception was not caught: int");
  r.err = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  copy\nmore\n";
  EXPECT_EQ(message_of(finding_of(r)), "An exception was not caught: std::out_of_range, copy");
  r.err = "terminate called after throwing an instance of 'cut";
  EXPECT_EQ(message_of(finding_of(r)), "");
}

TEST(Diagnose, AReturnFromMainHasNoPlace) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kExit;
  r.exit_code = 3;
  r.modules = {unknown_bank(), libc()};
  r.threads = {live(0, OpKind::kEndProcess, 0, kBias + 0x100010)};
  r.events = {event(0, 0, OpKind::kEndProcess, 0, kBias + 0x100010)};
  const report::Finding f = finding_of(r);
  EXPECT_EQ(summary_of(f), "exit code 3 of main");
  EXPECT_THAT(texts(f), ElementsAre("main end the program", "main exit code 3"));
  EXPECT_THAT(report::finding_text(f), Not(HasSubstr("libc")));
}

TEST(Diagnose, WhatIsInNoModuleIsNoFrame) {
  record::RunRecord r = unknown_deadlock();
  r.threads[1].stack = add_stack(r, {kBias + 0x300, 0xffff'ffff'ffff'ffff, 0});
  EXPECT_EQ(finding_of(r).threads[1].stack.size(), 1u);
}

TEST(Diagnose, OurRuntimeIsCutFromStacks) {
  record::RunRecord r = unknown_deadlock();
  r.modules.push_back(module(0x9000'0000, 0x9000'1000, 0x9000'0000, "/opt/snarl/libsnarl_rt.so"));
  r.threads[1].stack = add_stack(r, {0x9000'0010, 0x9000'0020, kBias + 0x300, kBias + 0x400});
  const report::Finding f = finding_of(r);
  ASSERT_EQ(f.threads[1].stack.size(), 2u);
  EXPECT_EQ(f.threads[1].stack[0].offset, 0x300u);
  EXPECT_EQ(f.place.offset, 0x300u);
}

TEST(Diagnose, ConditionWaits) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.modules = {unknown_bank()};
  r.threads = {live(0, OpKind::kReacquire, kHeapA, kBias + 0x10)};
  r.threads[0].pending.second = kHeapB;
  r.events = {event(1, 0, OpKind::kLock, kHeapB, kBias + 8), event(2, 0, OpKind::kWait, kHeapA, kBias + 0x10)};
  r.events[1].value = kHeapB;
  const report::Finding f = finding_of(r);
  EXPECT_THAT(texts(f), ElementsAre("main lock A", "main wait B (releases A)", "main wait B (for a signal)"));
  EXPECT_EQ(doing(f, 0), "waits for a signal of B");
  EXPECT_EQ(f.objects[1].kind, ObjectKind::kCondition);
  EXPECT_THAT(report::finding_text(f), HasSubstr("No thread is left that could signal B."));
}

// T1 waits with a deadline that T0's policy lets come; then both go on.
record::RunRecord timed_wait() {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kAssert;
  r.message = "ready";
  r.failing_thread = 1;
  r.held.clear();
  r.events = {event(0, 0, OpKind::kCreate, 0, kBias + 8),
              event(1, 1, OpKind::kStart, 0, 0, Reason::kPreempted),
              event(2, 1, OpKind::kLock, kHeapA, kBias + 8),
              event(3, 1, OpKind::kWait, kHeapB, kBias + 0x10),
              event(5, 0, OpKind::kYield, 0, kBias + 0x20, Reason::kYielded),
              event(6, 1, OpKind::kReacquire, kHeapB, kBias + 0x10, Reason::kPreempted)};
  r.events[0].value = 1;
  r.events[3].value = r.events[5].value = kHeapA;
  r.events[5].result = ETIMEDOUT;
  r.decisions = {decision(0, 0, 1, Reason::kPreempted, OpKind::kYield, kBias + 0x20),
                 decision(3, 1, 1 | kTimerBit, Reason::kBlocked, OpKind::kReacquire, kBias + 0x10),
                 decision(4, 1 | kTimerBit, 0, Reason::kEnded, OpKind::kExit, 0),
                 decision(5, 0, 1, Reason::kPreempted, OpKind::kLock, kBias + 0x40)};
  r.steps = 6;
  return r;
}

TEST(Diagnose, ATimerFiresInTheColumnOfItsThread) {
  const report::Finding f = finding_of(timed_wait());
  EXPECT_THAT(texts(f), ElementsAre("main create T1", "main preempted by policy", "T1 start", "T1 lock A",
                                    "T1 wait B (releases A)", "T1 wait B (for a signal)", "T1 timed out", "main yield",
                                    "main preempted by policy", "T1 reacquire A (timed out)", "T1 assertion failed"));
  EXPECT_EQ(f.rows[6].step, 4u);
  EXPECT_EQ(one_line_schedule(f), "S0P1---t1-S0-P1-x");
  EXPECT_TRUE(f.decisions[1].to_timer);
  EXPECT_EQ(f.decisions[1].to, 1u);
  EXPECT_TRUE(f.decisions[2].from_timer);
  EXPECT_EQ(f.decisions[0].place.offset, 0x20u);
  EXPECT_EQ(f.decisions[1].place.offset, 0x10u);
  EXPECT_FALSE(f.decisions[2].place.known());
  EXPECT_EQ(f.decisions[3].place.offset, 0x100u);  // where main is at the end
  EXPECT_TRUE(report::finding_from_json_text(report::finding_json_text(f))->decisions[1].to_timer);
}

TEST(Diagnose, TimersWithoutATrace) {
  record::RunRecord r = timed_wait();
  r.events.clear();
  EXPECT_THAT(texts(finding_of(r)), ElementsAre("main preempted by policy", "T1 wait reacquire", "T1 timed out",
                                                "main preempted by policy", "T1 assertion failed"));
  r.decisions[2].to = 1;  // the thread itself goes on: it was not stopped
  EXPECT_THAT(texts(finding_of(r)), ElementsAre("main preempted by policy", "T1 timed out", "main preempted by policy",
                                                "T1 assertion failed"));
}

record::RunRecord stuck(std::vector<wire::Thread> threads, std::vector<Event> events) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.modules = {unknown_bank()};
  r.threads = std::move(threads);
  r.events = std::move(events);
  return r;
}

TEST(Diagnose, SemaphoresBarriersAndFutexes) {
  report::Finding f = finding_of(
      stuck({live(0, OpKind::kSemWait, kHeapA, kBias + 0x10)}, {event(1, 0, OpKind::kSemInit, kHeapA, kBias + 8)}));
  EXPECT_THAT(texts(f), ElementsAre("main init A", "main wait A (for a post)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits for a post of A "));
  EXPECT_THAT(report::finding_text(f), HasSubstr("No thread is left that could post A."));
  EXPECT_THAT(report::finding_text(f), HasSubstr("semaphore A (first used at bank+0x8)"));

  record::RunRecord barrier = stuck({live(0, OpKind::kBarrierPass, kHeapA, kBias + 0x10)},
                                    {event(1, 0, OpKind::kBarrierWait, kHeapA, kBias + 0x10)});
  barrier.threads[0].pending.value = 3;
  f = finding_of(barrier);
  EXPECT_THAT(texts(f), ElementsAre("main barrier A", "main wait A (for the others)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits at barrier A (1 of 3 has arrived)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("No thread is left that could come to barrier A."));

  f = finding_of(stuck(
      {live(0, OpKind::kFutexWoken, kHeapA, kBias + 0x10)},
      {event(1, 0, OpKind::kFutexWait, kHeapA, kBias + 0x10), event(2, 0, OpKind::kFutexWake, kHeapA, kBias + 0x10),
       event(3, 0, OpKind::kFutexWait, kHeapA, kBias + 0x10)}));
  EXPECT_THAT(texts(f), ElementsAre("main futex wait A (value changed)", "main wake A (nobody waits)",
                                    "main futex wait A", "main wait A (to be woken)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits on the value at A "));
  EXPECT_THAT(report::finding_text(f), HasSubstr("No thread is left that could wake those who wait on A."));
}

TEST(Diagnose, HoldersOfReadWriteLocksComeFromTheEvents) {
  record::RunRecord r =
      stuck({live(0, OpKind::kWriteLock, kHeapA, kBias + 0x10), live(1, OpKind::kReadLock, kHeapB, kBias + 0x20)},
            {event(1, 0, OpKind::kReadLock, kHeapA, kBias + 8), event(2, 1, OpKind::kReadLock, kHeapA, kBias + 8),
             event(3, 0, OpKind::kWriteLock, kHeapB, kBias + 9)});
  report::Finding f = finding_of(r);
  EXPECT_THAT(texts(f), ElementsAre("main read lock A", "T1 read lock A", "main write lock B",
                                    "main wait A (held by itself, T1)", "T1 wait B (held by main)"));
  EXPECT_EQ(f.threads[0].held_by, 0u);
  EXPECT_EQ(f.threads[0].holds[0].how, report::Holding::kReading);
  EXPECT_EQ(f.threads[0].holds[1].how, report::Holding::kWriting);
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits to write lock A (which it holds itself)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("holds rwlock A for reading (bank+0x8), B for writing (bank+0x9)"));
  r.events.push_back(event(4, 1, OpKind::kRwUnlock, kHeapA, kBias + 8));
  EXPECT_THAT(texts(finding_of(r)), testing::Contains("main wait A (held by itself)"));
  r.events.clear();
  EXPECT_THAT(report::finding_text(finding_of(r)), HasSubstr("waits to read lock B (held for writing)"));
}

TEST(Diagnose, AReaderMayWaitBehindAWriter) {
  const report::Finding f = finding_of(
      stuck({live(0, OpKind::kReadLock, kHeapA, kBias + 0x10), live(1, OpKind::kWriteLock, kHeapA, kBias + 0x20)},
            {event(1, 0, OpKind::kReadLock, kHeapA, kBias + 8), event(2, 1, OpKind::kStart, 0, 0)}));
  EXPECT_THAT(texts(f), testing::Contains("main wait A (a writer is waiting)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits to read lock A, behind the writer T1 "));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits to write lock A "));
  EXPECT_EQ(f.threads[1].held_by, 0u);
}

TEST(Diagnose, WhoRunsACallOnce) {
  const report::Finding f =
      finding_of(stuck({live(0, OpKind::kOnce, kHeapA, kBias + 0x10), live(1, OpKind::kLock, kHeapB, kBias + 0x20)},
                       {event(1, 0, OpKind::kLock, kHeapB, kBias + 8), event(2, 1, OpKind::kOnce, kHeapA, kBias + 8)}));
  EXPECT_EQ(doing(f, 0), "waits for call_once B, run by T1");
  EXPECT_EQ(f.threads[0].held_by, 1u);
}

TEST(Diagnose, EveryOperationHasWords) {
  for (int i = 1; i < static_cast<int>(OpKind::kCount); ++i) {
    const auto kind = static_cast<OpKind>(i);
    const report::Finding f =
        finding_of(stuck({live(0, kind, kHeapA, kBias + 0x10)}, {event(1, 0, kind, kHeapA, kBias + 8)}));
    if (kind == OpKind::kMutexInit || kind == OpKind::kMutexDestroy) continue;
    const std::string text = report::ActWords(f.objects).text(f.rows[0].act, f.rows[0].place);
    EXPECT_EQ(text.find('_'), kind == OpKind::kOnce ? 4 : std::string::npos) << text;
    EXPECT_EQ(doing(f, 0).find('_'), kind == OpKind::kOnce ? 14 : std::string::npos) << doing(f, 0);
  }
}

TEST(Diagnose, ATimeoutSaysWhoHadTheTurn) {
  record::RunRecord r = unknown_deadlock();
  r.outcome = OutcomeKind::kTimeout;
  r.seconds = 10.02;
  r.held.clear();
  for (wire::Thread& t : r.threads) t.pending = Op();
  const report::Finding traced = finding_of(r);
  EXPECT_THAT(message_of(traced), HasSubstr("after 10 s and was ended. T2 had the turn"));
  EXPECT_EQ(traced.threads[2].state, report::ThreadState::kRunning);
  EXPECT_EQ(doing(traced, 2), "had the turn, last step: lock B");
  EXPECT_EQ(doing(traced, 1), "stopped at lock");
  r.events.clear();
  r.decisions.push_back(decision(3, 2, 1, Reason::kPreempted, OpKind::kLock, 0));
  const report::Finding f = finding_of(r);
  EXPECT_THAT(message_of(f), HasSubstr("T1 had the turn"));
  EXPECT_EQ(f.threads[1].state, report::ThreadState::kRunning);
  EXPECT_EQ(doing(f, 0), "stopped at join");
}

TEST(Diagnose, SwitchesOfStepsThatAreLostAreShown) {
  record::RunRecord r = unknown_deadlock();
  r.decisions[1].step = 70, r.events[3].step = 71, r.events[4].step = 72;
  r.events.erase(r.events.begin(), r.events.begin() + 3);
  r.events_lost = 71;
  const report::Finding f = finding_of(r);
  const std::vector<std::string> rows = texts(f);
  ASSERT_GT(rows.size(), 3u);
  EXPECT_THAT(std::vector(rows.begin(), rows.begin() + 4),
              ElementsAre("main wait join", "T1 preempted by policy", "T2 start", "T2 lock A"));
  EXPECT_EQ(f.rows[1].skipped, 70u);
  EXPECT_EQ(f.rows[2].skipped, 1u);
  EXPECT_EQ(f.rows_lost, 0u);
}

TEST(Diagnose, OfRoundsThatLookAlikeTheFirstAndTheLastAreKept) {
  std::vector<report::FindingRow> rows;
  const auto add = [&rows](uint32_t object) {
    report::FindingRow row{.step = rows.size() + 1, .thread = 1};
    row.act = {.kind = OpKind::kAtomicLoad, .object = object, .result = static_cast<int>(rows.size())};
    rows.push_back(row);
  };
  add(2);
  add(1);
  for (int round = 0; round < 100; ++round)
    for (uint32_t object : {0u, 1u, 3u}) add(object);
  std::vector<report::FindingRow> few(rows.begin(), rows.begin() + 2 + 3 * 3);
  leave_out_rounds(rows);
  ASSERT_EQ(rows.size(), 2u + 3 + 3);
  EXPECT_EQ(rows[2].act.object, 0u);
  EXPECT_EQ(rows[4].step, 5u);
  EXPECT_EQ(rows[5].step, 300u);
  EXPECT_EQ(rows[5].skipped, 98u * 3);
  leave_out_rounds(few);
  EXPECT_EQ(few.size(), 2u + 3 * 3);
}

// What the words are made of.
TEST(Diagnose, AFindingIsIdsAndEnumerations) {
  const report::Finding f = finding_of(unknown_deadlock());
  EXPECT_EQ(f.outcome, OutcomeKind::kDeadlock);
  ASSERT_EQ(f.objects.size(), 2u);
  EXPECT_EQ(f.objects[0].kind, ObjectKind::kMutex);
  ASSERT_EQ(f.threads.size(), 3u);
  EXPECT_EQ(f.threads[1].state, report::ThreadState::kBlocked);
  EXPECT_EQ(f.threads[1].doing, report::Doing::kWaits);
  EXPECT_EQ(f.threads[1].act.object, 1u);
  EXPECT_EQ(f.threads[1].held_by, 2u);
  EXPECT_EQ(f.threads[1].holds[0].object, 0u);
  EXPECT_EQ(f.threads[0].act.thread, 1u);
  EXPECT_EQ(f.rows[4].kind, report::RowKind::kSwitch);
  EXPECT_EQ(f.rows[4].reason, Reason::kPreempted);
  EXPECT_EQ(f.rows.back().kind, report::RowKind::kNeverGranted);
  EXPECT_EQ(f.rows.back().holders, std::vector<uint32_t>{1});
}

TEST(Diagnose, ALockTakenTwiceIsHeldByItself) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.modules = {unknown_bank()};
  r.threads = {live(0, OpKind::kLock, kHeapA, kBias + 0x10)};
  r.events = {event(1, 0, OpKind::kLock, kHeapA, kBias + 8)};
  wire::Held held;
  held.object = kHeapA;
  r.held = {held};
  const report::Finding f = finding_of(r);
  EXPECT_THAT(texts(f), ElementsAre("main lock A", "main wait A (held by itself)"));
  EXPECT_THAT(report::finding_text(f), HasSubstr("waits for A (which it holds itself)"));
}

TEST(ScheduleOf, HoldsEverythingForAReplay) {
  const record::RunRecord r = unknown_deadlock();
  const Schedule s = schedule_of(r, context(), 2);
  EXPECT_EQ(s.failure, "deadlock");
  EXPECT_EQ(s.signature, signature_of(r));
  EXPECT_EQ(s.switches[1].offset, 0x200u);
  EXPECT_TRUE(parse_schedule(write_schedule(s), "s"));
  record::RunRecord timed = r;
  timed.settings.clock_base = 5;
  EXPECT_THAT(write_schedule(schedule_of(timed, context(), 2)), HasSubstr("\ntime virtual\nclock 5\n"));
  timed.settings.time = TimeMode::kReal;
  EXPECT_THAT(write_schedule(schedule_of(timed, context(), 2)), HasSubstr("\ntime real\ncpus"));
  const auto moved = decisions_for(s, record::loaded_modules(std::vector{unknown_bank(0x1000'0000)}));
  EXPECT_EQ(moved[1].pc, 0x1000'0200u);
}

TEST(ScheduleOf, CommentsNameThePlaces) {
  const record::RunRecord r = deadlock(1, 2, inside(pay_in), inside(transfer), this_program());
  const report::Finding f = finding_of(r);
  const Schedule s = schedule_of(r, context(), 2, &f);
  EXPECT_THAT(s.switches[1].comment, HasSubstr("transfer diagnose_test.cc:"));
}

// Those before are counted, as if they had never been recorded.
TEST(Diagnose, OfALongRunTheEndIsTold) {
  record::RunRecord whole = unknown_deadlock();
  whole.events.insert(whole.events.begin(), 100'000, event(0, 0, OpKind::kYield, 0, kBias + 8));
  record::RunRecord cut = whole;
  cut.events.erase(cut.events.begin(), cut.events.end() - (1 << 16));
  cut.events_lost = whole.events.size() - cut.events.size();
  EXPECT_EQ(report::finding_json_text(finding_of(whole)), report::finding_json_text(finding_of(cut)));
}

TEST(Diagnose, AParallelRunIsToldByItsSwitches) {
  record::RunRecord r = unknown_deadlock(), without = r;
  r.parallel = without.parallel = true;
  without.events.clear();
  EXPECT_EQ(report::finding_json_text(finding_of(r)), report::finding_json_text(finding_of(without)));
}

// The tested process can write anything into the wire; what the reader lets through must not hurt.
TEST(Diagnose, AnyRecordGivesAReport) {
  Rng rng(11);
  const auto word = [&] { return rng.below(3) == 0 ? rng.next() : kBias + rng.below(0x300); };
  for (int round = 0; round < 300; ++round) {
    record::RunRecord r = unknown_deadlock();
    r.outcome = static_cast<OutcomeKind>(rng.below(static_cast<uint64_t>(OutcomeKind::kCount)));
    r.failing_thread = static_cast<uint32_t>(rng.below(5));
    r.frames.resize(rng.below(8), word());
    for (uint64_t i = rng.below(3); i > 0; --i)
      r.stacks.push_back({static_cast<uint32_t>(rng.below(9)), static_cast<uint32_t>(rng.below(2) ? 3 : rng.next())});
    r.steps = rng.below(2) ? rng.next() : 9;
    for (wire::Thread& t : r.threads) {
      t.phase = static_cast<wire::ThreadPhase>(rng.below(3));
      t.ordinal = static_cast<uint32_t>(rng.below(2) ? rng.below(4) : rng.next());
      t.pending.kind = static_cast<OpKind>(rng.below(static_cast<uint64_t>(OpKind::kCount)));
      t.pending.thread = static_cast<ThreadId>(rng.next());
      t.stack = static_cast<uint32_t>(rng.below(2) ? rng.below(4) : rng.next());
      std::memset(t.label, static_cast<int>(rng.below(256)), sizeof t.label);
    }
    for (Event& e : r.events) {
      e.kind = static_cast<OpKind>(rng.below(static_cast<uint64_t>(OpKind::kCount)));
      e.switched = static_cast<Reason>(rng.below(static_cast<uint64_t>(Reason::kCount)));
      e.thread = rng.below(4) & Event::kMostThreads;
      e.stack = (rng.below(2) ? rng.below(4) : rng.next()) & Event::kMostStacks;
      e.block = rng.next() & Event::kMostBlocks;
      e.value = word();
      e.object = word();
      e.step = rng.below(2) ? rng.next() : rng.below(9);
    }
    for (Decision& d : r.decisions) {
      d.from = static_cast<uint32_t>(rng.below(2) ? rng.next() : rng.below(4));
      d.to = static_cast<uint32_t>(rng.below(2) ? rng.next() : rng.below(4) | kTimerBit);
      if (rng.below(3) == 0) d.step = rng.next();
    }
    const report::Finding f = finding_of(r);
    EXPECT_THAT(report::finding_text(f), HasSubstr("SUMMARY: snarl: "));
    EXPECT_TRUE(report::finding_from_json_text(report::finding_json_text(f)));
  }
}

}  // namespace
}  // namespace snarl::explain
