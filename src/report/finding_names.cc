#include "report/finding_names.h"

namespace snarl {

const char* name_of(LockShape shape) {
  switch (shape) {
    case LockShape::kMutex: return "mutex";
    case LockShape::kSpin: return "spin";
    case LockShape::kStream: return "stream";
    case LockShape::kOwn: return "own";
  }
  return "?";
}

const char* name_of(WrongOutput::Kind kind) {
  switch (kind) {
    case WrongOutput::Kind::kNone: return "none";
    case WrongOutput::Kind::kDiffers: return "differs";
    case WrongOutput::Kind::kForbidden: return "forbidden";
  }
  return "?";
}

const char* name_of(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::kNone: return "none";
    case MemoryOrder::kRelaxed: return "relaxed";
    case MemoryOrder::kConsume: return "consume";
    case MemoryOrder::kAcquire: return "acquire";
    case MemoryOrder::kRelease: return "release";
    case MemoryOrder::kAcquireRelease: return "acq_rel";
    case MemoryOrder::kSequential: return "seq_cst";
    case MemoryOrder::kCount: break;
  }
  return "?";
}

}  // namespace snarl

namespace snarl::report {

const char* name_of(RowKind kind) {
  switch (kind) {
    case RowKind::kStep: return "step";
    case RowKind::kSwitch: return "switch";
    case RowKind::kTimedOut: return "timed_out";
    case RowKind::kSleepOver: return "sleep_over";
    case RowKind::kAlarm: return "alarm";
    case RowKind::kNeverGranted: return "never_granted";
    case RowKind::kFailure: return "failure";
  }
  return "?";
}

const char* name_of(Holding how) {
  switch (how) {
    case Holding::kOwned: return "owned";
    case Holding::kReading: return "reading";
    case Holding::kWriting: return "writing";
  }
  return "?";
}

const char* name_of(ThreadState state) {
  switch (state) {
    case ThreadState::kUnknown: return "unknown";
    case ThreadState::kRunning: return "running";
    case ThreadState::kBlocked: return "blocked";
    case ThreadState::kReady: return "ready";
    case ThreadState::kFailed: return "failed";
    case ThreadState::kEnded: return "ended";
    case ThreadState::kSpinning: return "spinning";
  }
  return "?";
}

const char* name_of(Doing doing) {
  switch (doing) {
    case Doing::kNothing: return "nothing";
    case Doing::kPending: return "pending";
    case Doing::kWaits: return "waits";
    case Doing::kSpins: return "spins";
    case Doing::kLoops: return "loops";
    case Doing::kHadTurn: return "had_turn";
    case Doing::kComputes: return "computes";
    case Doing::kLastStep: return "last_step";
    case Doing::kHadTurnAfter: return "had_turn_after";
    case Doing::kStoppedAt: return "stopped_at";
    case Doing::kNotStarted: return "not_started";
  }
  return "?";
}

const char* name_of(Holder holder) {
  switch (holder) {
    case Holder::kOwner: return "owner";
    case Holder::kUnnamed: return "unnamed";
    case Holder::kUnnamedWriter: return "unnamed_writer";
    case Holder::kWriterAhead: return "writer_ahead";
    case Holder::kOnceRunner: return "once_runner";
  }
  return "?";
}

const char* name_of(DeedKind kind) {
  switch (kind) {
    case DeedKind::kWrongCall: return "wrong_call";
    case DeedKind::kWhatMadeItSo: return "what_made_it_so";
    case DeedKind::kAccess: return "access";
    case DeedKind::kWeakLoad: return "weak_load";
    case DeedKind::kWeakStore: return "weak_store";
    case DeedKind::kCreated: return "created";
    case DeedKind::kUsed: return "used";
    case DeedKind::kFreed: return "freed";
    case DeedKind::kAllocated: return "allocated";
  }
  return "?";
}

}  // namespace snarl::report
