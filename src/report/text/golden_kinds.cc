// A finding of every kind, made from the others: none may be without its words.
#include <cstddef>
#include <utility>

#include "report/text/golden_findings.h"

namespace snarl::report {
namespace {

Finding as_outcome(Finding f, OutcomeKind outcome) {
  f.outcome = outcome;
  f.signature = name_of(outcome);
  return f;
}

Finding uncaught_exception() {
  Finding f = as_outcome(failed_assertion(), OutcomeKind::kException);
  f.message.clear();
  f.err_tail.clear();
  f.exception = "std::out_of_range";
  f.exception_says = "no such account";
  return f;
}

Finding sanitizer_report() {
  Finding f = as_outcome(failed_assertion(), OutcomeKind::kCheck);
  f.message = "heap-use-after-free on address 0x602000000010";
  f.sanitizer_error = "heap-use-after-free";
  f.err_tail.clear();
  const Stack used = {f.place}, freed = {f.rows.front().place};
  f.deeds = {{DeedKind::kUsed, 2, {}, f.place, f.threads[2].stack},
             {DeedKind::kFreed, 1, {}, f.rows[1].place, {f.rows[1].place}},
             {DeedKind::kAllocated, 0, {}, f.threads[0].place, {f.threads[0].place}}};
  return f;
}

Finding wrong_output() {
  Finding f = as_outcome(wrong_exit_code(), OutcomeKind::kWrongOutput);
  f.exit_code = 0;
  f.wrong_output = {.kind = WrongOutput::Kind::kDiffers, .line = 3, .expected = "total 100", .got = "total 70"};
  return f;
}

Finding uses_many_steps() {
  Finding f = as_outcome(spinning(), OutcomeKind::kStepBudget);
  f.steps = 1'000'000;
  return f;
}

struct Wrong {
  MisuseKind kind;
  OpKind op, other_op;
  ObjectKind object;
};

constexpr Wrong kWrongs[] = {
    {MisuseKind::kUnlockNotOwner, OpKind::kUnlock, OpKind::kLock, ObjectKind::kMutex},
    {MisuseKind::kUnlockNotLocked, OpKind::kUnlock, OpKind::kUnlock, ObjectKind::kMutex},
    {MisuseKind::kWaitNotOwner, OpKind::kWait, OpKind::kLock, ObjectKind::kMutex},
    {MisuseKind::kDestroyLocked, OpKind::kMutexDestroy, OpKind::kLock, ObjectKind::kMutex},
    {MisuseKind::kDestroyWaited, OpKind::kCondDestroy, OpKind::kWait, ObjectKind::kCondition},
    {MisuseKind::kUseAfterDestroy, OpKind::kSignal, OpKind::kCondDestroy, ObjectKind::kCondition},
    {MisuseKind::kJoinSelf, OpKind::kJoin, OpKind::kCreate, ObjectKind::kNone},
    {MisuseKind::kJoinTwice, OpKind::kJoin, OpKind::kJoin, ObjectKind::kNone},
    {MisuseKind::kJoinDetached, OpKind::kJoin, OpKind::kDetach, ObjectKind::kNone},
    {MisuseKind::kSemaphoreOverflow, OpKind::kSemPost, OpKind::kSemInit, ObjectKind::kSemaphore},
    {MisuseKind::kCondvarTwoMutexes, OpKind::kWait, OpKind::kWait, ObjectKind::kCondition},
    {MisuseKind::kForkHolding, OpKind::kFork, OpKind::kLock, ObjectKind::kMutex},
    {MisuseKind::kExitHolding, OpKind::kEndProcess, OpKind::kLock, ObjectKind::kMutex},
    {MisuseKind::kUseAfterFree, OpKind::kLock, OpKind::kFree, ObjectKind::kMutex},
    {MisuseKind::kRace, OpKind::kWrite, OpKind::kRead, ObjectKind::kNone},
};

Finding misuse(const Wrong& wrong) {
  Finding f = stolen_lock();
  f.signature = name_of(wrong.kind);
  f.folder = std::string("snarl-out/findings/0001-") + name_of(wrong.kind);
  f.misuse.kind = wrong.kind;
  f.misuse.op = f.deeds[0].operation = wrong.op;
  f.misuse.other_op = f.deeds[1].operation = wrong.other_op;
  f.misuse.object_kind = f.objects[0].kind = wrong.object;
  f.misuse.joined = 1;
  f.misuse.other_place = f.deeds[1].place;
  if (wrong.kind != MisuseKind::kRace) return f;
  f.deeds[0].kind = f.deeds[1].kind = DeedKind::kAccess;
  f.deeds[0].size = f.deeds[1].size = 4;
  f.deeds[1].locks = {0};
  return f;
}

FindingMoment moment(uint32_t thread, OpKind kind, int line, Step step, FindingValues values = {}) {
  return {.thread = thread,
          .act = {.kind = kind, .object = 0, .second = 1},
          .place = {.function = "work", .file = "queue.c", .line = line},
          .step = step,
          .values = values};
}

FindingValues was(uint64_t value) { return {.bytes = 4, .has_was = true, .was = value}; }
FindingValues left(uint64_t value) { return {.bytes = 4, .has_left = true, .left = value}; }

std::vector<FindingMoment> moments_of(PatternKind kind) {
  constexpr OpKind kLock = OpKind::kLock, kRead = OpKind::kRead, kWrite = OpKind::kWrite, kWait = OpKind::kWait,
                   kSignal = OpKind::kSignal;
  switch (kind) {
    case PatternKind::kAbba:
      return {moment(1, kLock, 5, 3), moment(1, kLock, 6, 0), moment(2, kLock, 9, 4), moment(2, kLock, 10, 0)};
    case PatternKind::kLockCycle:
      return {moment(1, kLock, 5, 3),  moment(3, kLock, 6, 0),  moment(2, kLock, 9, 4),
              moment(1, kLock, 10, 0), moment(3, kLock, 13, 5), moment(2, kLock, 14, 0)};
    case PatternKind::kLostWakeUp:
      return {moment(2, kSignal, 8, 6), moment(1, kWait, 12, 9), moment(1, kRead, 11, 3, was(0))};
    case PatternKind::kOvertaken: return {moment(1, kWait, 12, 4), moment(2, kSignal, 8, 7), moment(3, kLock, 20, 8)};
    case PatternKind::kAba:
      return {moment(1, kRead, 5, 3, was(7)), moment(2, kWrite, 9, 5, left(8)), moment(2, kWrite, 10, 6, left(7)),
              moment(1, OpKind::kAtomicRmw, 6, 8)};
    case PatternKind::kAtomicity: return {moment(1, kLock, 5, 3), moment(2, kLock, 9, 5), moment(1, kLock, 6, 8)};
    case PatternKind::kOrder: return {moment(1, kRead, 5, 3, was(0)), moment(2, kWrite, 9, 4, left(1))};
    case PatternKind::kWakeUpTaken:
      return {moment(2, kSignal, 8, 7), moment(3, OpKind::kReacquire, 12, 9), moment(1, kWait, 12, 4)};
    case PatternKind::kDoubleTake:
      return {moment(1, kRead, 5, 3, was(0)), moment(2, kRead, 5, 5, was(0)), moment(2, kWrite, 6, 6, left(1)),
              moment(1, kWrite, 6, 8, left(1))};
    case PatternKind::kMissedRecheck:
      return {moment(1, kRead, 5, 3, was(0)), moment(2, kWrite, 9, 5, left(1)), moment(1, kLock, 6, 8)};
    case PatternKind::kPublishedEarly:
      return {moment(1, kWrite, 5, 3, left(1)), moment(2, kRead, 9, 4, was(1)), moment(2, kRead, 10, 5, was(0)),
              moment(1, kWrite, 6, 7, left(42))};
    case PatternKind::kMadeAnew: return {moment(1, kLock, 5, 3), moment(2, OpKind::kMutexInit, 9, 4)};
    default: return {};
  }
}

}  // namespace

std::vector<Finding> findings_of_every_outcome() {
  return {as_outcome(missed_signal(), OutcomeKind::kHang),
          uncaught_exception(),
          sanitizer_report(),
          wrong_output(),
          uses_many_steps(),
          deadlock_of_two(),
          failed_assertion(),
          segmentation_fault(),
          wrong_exit_code(),
          spinning(),
          polite_pair()};
}

std::vector<Finding> findings_of_every_misuse() {
  std::vector<Finding> all;
  for (const Wrong& wrong : kWrongs) all.push_back(misuse(wrong));
  return all;
}

std::vector<Finding> findings_of_every_pattern() {
  std::vector<Finding> all;
  for (size_t kind = 1; kind < static_cast<size_t>(PatternKind::kCount); ++kind) {
    Finding f = missed_signal();
    f.objects[0].name = "item";
    f.pattern = {static_cast<PatternKind>(kind), moments_of(static_cast<PatternKind>(kind))};
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace snarl::report
