#include "tests/virtual/reference.h"

#include <algorithm>
#include <bit>
#include <cerrno>

namespace snarl {
namespace {

// Rule 4.
bool is_followed_by_a_point(OpKind kind) {
  switch (kind) {
    case OpKind::kCreate:
    case OpKind::kUnlock:
    case OpKind::kRwUnlock:
    case OpKind::kSemPost:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kFutexWake:
    case OpKind::kFutexRequeue:
    case OpKind::kCancel:
    case OpKind::kKill:
    case OpKind::kAtomicRmw: return true;
    default: return false;
  }
}

bool has_two_halves(OpKind kind) {
  return kind == OpKind::kWait || kind == OpKind::kFutexWait || kind == OpKind::kBarrierWait || kind == OpKind::kOnce;
}

OpKind second_half_of(OpKind kind) {
  switch (kind) {
    case OpKind::kWait: return OpKind::kReacquire;
    case OpKind::kFutexWait: return OpKind::kFutexWoken;
    case OpKind::kBarrierWait: return OpKind::kBarrierPass;
    default: return OpKind::kUser;  // of the once routine
  }
}

uint8_t only(size_t t) { return static_cast<uint8_t>(1u << t); }

}  // namespace

Reference::Reference(const Script& script) : script_(&script) {
  for (Actor& actor : actors_) actor.results.fill(kNotYet);
  arrive(kMainThread);
  settle();
}

// Numbers of a script, closed up.
Reference::Object& Reference::object(int number) {
  static constexpr std::array<int, 7> kFirst = {0, 4, 6, 7, 9, 10, 12};
  const int place = number == Line::kNothing ? static_cast<int>(kObjects) - 1
                                             : kFirst.at(static_cast<size_t>(number / 10)) + number % 10;
  return objects_.at(static_cast<size_t>(place));
}

void Reference::take(uint32_t mover) {
  for (size_t t = 0; t < actors_.size(); ++t) {
    if (!is_live(t) || actors_[t].ordinal != (mover & ~kTimerBit)) continue;
    if ((mover & kTimerBit) == 0) {
      step(t);
      break;
    }
    note_step(t, OpKind::kTimeout);
    fire(t);
    break;
  }
  settle();
}

// Up to where somebody has a choice. Alone, nothing counts (rule 1); where nobody can go on, time passes.
void Reference::settle() {
  movers_.clear();
  for (bool moved = true; moved && movers_.empty();) {
    size_t live = 0, last = 0;
    for (size_t t = 0; t < actors_.size(); ++t)
      if (is_live(t)) ++live, last = t;
    if (live == 0) {
      end_ = End::kOk;
      return;
    }
    if (live > 1) list_movers();
    moved = !movers_.empty() || (live == 1 ? go_alone(last) : let_time_pass());
  }
  if (movers_.empty()) end_ = End::kDeadlock;
}

bool Reference::go_alone(size_t t) {
  if (!is_enabled(t)) return let_time_pass();
  step(t);
  return true;
}

// The earliest deadline of all.
bool Reference::let_time_pass() {
  const uint64_t time = earliest();
  size_t first = actors_.size();
  for (size_t t = 0; t < actors_.size(); ++t) {
    const bool waits = is_timed(t) && !is_enabled(t) && actors_[t].deadline == time;
    if (waits && (first == actors_.size() || actors_[t].ordinal < actors_[first].ordinal)) first = t;
  }
  if (first == actors_.size()) return false;
  fire(first);
  return true;
}

void Reference::list_movers() {
  const uint64_t time = earliest();
  for (size_t t = 0; t < actors_.size(); ++t) {
    if (is_live(t) && is_enabled(t)) movers_.push_back(actors_[t].ordinal);
    if (is_live(t) && may_fire(t, time)) movers_.push_back(actors_[t].ordinal | kTimerBit);
  }
  std::sort(movers_.begin(), movers_.end());
}

// It has a deadline that has not come.
bool Reference::is_timed(size_t t) const {
  const Actor& actor = actors_[t];
  if (!is_live(t) || actor.late || (actor.at != At::kOperation && actor.at != At::kSecondHalf)) return false;
  return line_of(t).timed && has_two_halves(line_of(t).kind) == (actor.at == At::kSecondHalf);
}

uint64_t Reference::earliest() const {
  uint64_t time = ~uint64_t{0};
  for (size_t t = 0; t < actors_.size(); ++t)
    if (is_timed(t) && !is_enabled(t)) time = std::min(time, actors_[t].deadline);
  return time;
}

// Rule 7: only who can't go on times out, and of several deadlines the first comes first. A sleep's, and one that lay
// more than a second ahead when the wait began, is no choice before it has come.
bool Reference::may_fire(size_t t, uint64_t earliest) const {
  if (!is_timed(t) || is_enabled(t) || actors_[t].deadline != earliest) return false;
  return (line_of(t).kind != OpKind::kSleep && !actors_[t].is_far) || earliest <= now_;
}

void Reference::begin_wait(Actor& actor) {
  constexpr uint64_t kSecond = 1'000'000'000;
  actor.is_far = actor.deadline > now_ + kSecond;
}

void Reference::fire(size_t t) {
  now_ = std::max(now_, actors_[t].deadline);
  actors_[t].late = true;
  if (actors_[t].at == At::kSecondHalf) leave_queue(line_of(t).object, t);
}

// Rule 10: at an arrival, and where it waits; not before it has begun, nor when it is about to end.
bool Reference::takes_signal(size_t t) const {
  const Actor& actor = actors_[t];
  return actor.has_signal && !actor.late && actor.at != At::kStart && actor.at != At::kExit;
}

bool Reference::is_enabled(size_t t) const {
  if (takes_signal(t)) return true;
  switch (actors_[t].at) {
    case At::kOperation: return actors_[t].late || operation_returns(t);
    case At::kSecondHalf: return second_half_returns(t);
    default: return true;
  }
}

bool Reference::mutex_returns(int mutex, size_t t) const {
  const int owner = object(mutex).owner;
  return owner == kNobody || (owner == static_cast<int>(t) && mutex_kind(mutex) != MutexKind::kNormal);
}

bool Reference::operation_returns(size_t t) const {
  const Line& line = line_of(t);
  const Object& o = object(line.object);
  const int self = static_cast<int>(t);
  switch (line.kind) {
    case OpKind::kLock: return mutex_returns(line.object, t);
    case OpKind::kReadLock: return o.owner == kNobody || o.owner == self;
    case OpKind::kWriteLock: return o.owner == self || (o.owner == kNobody && o.readers == 0);
    case OpKind::kSemWait: return o.units > 0;
    case OpKind::kOnce: return o.owner == kNobody;
    case OpKind::kJoin: return actors_.at(static_cast<size_t>(line.object)).at == At::kEnded;
    case OpKind::kSleep: return line.span == 0;
    default: return true;
  }
}

bool Reference::second_half_returns(size_t t) const {
  const Line& line = line_of(t);
  const bool late = actors_[t].late;
  switch (line.kind) {
    case OpKind::kWait: return (late || may_wake(line.object, t)) && mutex_returns(line.second, t);
    case OpKind::kFutexWait: return late || may_wake(line.object, t);
    case OpKind::kBarrierWait: return object(line.object).round > actors_[t].barrier_round;
    default: return true;
  }
}

void Reference::step(size_t t) {
  Actor& actor = actors_[t];
  if (takes_signal(t)) {  // the handler does nothing, and the thread is where it was
    note_step(t, OpKind::kHandler);
    actor.has_signal = false;
    return;
  }
  switch (actor.at) {
    case At::kStart: note_step(t, OpKind::kStart); return arrive(t);
    case At::kOperation: return operation(t);
    case At::kSecondHalf: {
      const Line& line = line_of(t);
      const int result = second_half(t);
      did_.push_back({t, second_half_of(line.kind), line.object, line.second, result, false});
      return is_over(t, result);
    }
    case At::kAfter: note_step(t, OpKind::kAfter); return is_over(t, actor.result);
    default: note_step(t, OpKind::kExit); actor.at = At::kEnded;
  }
}

void Reference::operation(size_t t) {
  Actor& actor = actors_[t];
  const Line& line = line_of(t);
  const bool owns = object(line.object).owner == static_cast<int>(t);
  const int late = line.kind == OpKind::kSleep ? 0 : ETIMEDOUT;
  const int result = actor.late ? late : perform(t);
  did_.push_back({t, line.kind, line.object, line.second, result, owns});
  if (actor.late) return is_over(t, result);
  actor.result = result;
  if (has_two_halves(line.kind) && actor.result == 0) {
    actor.at = At::kSecondHalf;
    if (line.kind == OpKind::kFutexWait) actor.deadline = now_ + line.span;
    begin_wait(actor);
  } else if (is_followed_by_a_point(line.kind)) {
    actor.at = At::kAfter;
  } else {
    is_over(t, actor.result);
  }
}

int Reference::perform(size_t t) {
  const Line& line = line_of(t);
  Object& o = object(line.object);
  switch (line.kind) {
    case OpKind::kLock: return lock(t, line.object, false);
    case OpKind::kTryLock: return lock(t, line.object, true);
    case OpKind::kUnlock: return unlock(t, line.object);
    case OpKind::kWait: o.waiters |= only(t); return unlock(t, line.second);
    case OpKind::kFutexWait: o.waiters |= only(t); return 0;
    case OpKind::kSignal: wake(line.object, 1); return 0;
    case OpKind::kBroadcast: wake(line.object, kThreads); return 0;
    case OpKind::kFutexWake: return wake(line.object, line.second);
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock:
    case OpKind::kRwUnlock: return read_write(t, line);
    case OpKind::kSemPost: ++o.units; return 0;
    case OpKind::kSemWait: --o.units; return 0;
    case OpKind::kSemTryWait: return o.units == 0 ? EAGAIN : (--o.units, 0);
    case OpKind::kBarrierWait: return wait_at_barrier(t, line);
    case OpKind::kOnce: o.owner = static_cast<int8_t>(t); return 0;
    case OpKind::kConsistent: return EINVAL;  // nobody's owner has ended
    case OpKind::kCreate:
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kCancel:
    case OpKind::kKill: return on_thread(line);
    case OpKind::kTestCancel: return actors_[t].is_asked_to_end ? ECANCELED : 0;
    default: return 0;
  }
}

int Reference::lock(size_t t, int mutex, bool tries) {
  Object& o = object(mutex);
  const bool again = o.owner == static_cast<int>(t);
  if (o.owner != kNobody && mutex_kind(mutex) != MutexKind::kRecursive) return tries ? EBUSY : EDEADLK;
  if (o.owner != kNobody && !again) return EBUSY;
  o.owner = static_cast<int8_t>(t);
  ++o.depth;
  return 0;
}

int Reference::unlock(size_t t, int mutex) {
  Object& o = object(mutex);
  if (o.owner != static_cast<int>(t) && mutex_kind(mutex) != MutexKind::kNormal) return EPERM;
  if (--o.depth == 0) o.owner = kNobody;
  return 0;
}

int Reference::read_write(size_t t, const Line& line) {
  Object& o = object(line.object);
  const int self = static_cast<int>(t);
  const bool tries = line.kind == OpKind::kTryReadLock || line.kind == OpKind::kTryWriteLock;
  const bool reads = line.kind == OpKind::kReadLock || line.kind == OpKind::kTryReadLock;
  if (line.kind == OpKind::kRwUnlock) {
    o.owner == self ? o.owner = kNobody : --o.readers;
    return 0;
  }
  if (o.owner != kNobody || (!reads && o.readers > 0)) return tries ? EBUSY : EDEADLK;
  reads ? static_cast<void>(++o.readers) : static_cast<void>(o.owner = static_cast<int8_t>(t));
  return 0;
}

// -1: it completes the round, and does not wait.
int Reference::wait_at_barrier(size_t t, const Line& line) {
  Object& o = object(line.object);
  actors_[t].barrier_round = o.round;
  if (++o.arrived < line.second) return 0;
  o.arrived = 0;
  ++o.round;
  return -1;
}

int Reference::on_thread(const Line& line) {
  Actor& other = actors_.at(static_cast<size_t>(line.object));
  switch (line.kind) {
    case OpKind::kCreate:
      other.at = At::kStart;
      other.ordinal = created_++;
      return 0;
    case OpKind::kTryJoin: return other.at == At::kEnded ? 0 : EBUSY;
    case OpKind::kCancel: other.is_asked_to_end = true; return 0;
    case OpKind::kKill: other.has_signal |= other.at != At::kEnded; return 0;
    default: return 0;
  }
}

// Rule 6: a token for those who wait at this moment, unless each of them could have one already.
int Reference::wake(int number, int most) {
  Object& o = object(number);
  int left = 0;
  for (; left < most && o.tokens < std::popcount(o.waiters); ++left)
    o.takers.at(static_cast<size_t>(o.tokens++)) = o.waiters;
  return left;
}

bool Reference::may_wake(int number, size_t t) const {
  const Object& o = object(number);
  for (size_t i = 0; i < static_cast<size_t>(o.tokens); ++i)
    if ((o.takers[i] & only(t)) != 0) return true;
  return false;
}

void Reference::take_token(int number, size_t t) {
  Object& o = object(number);
  size_t taken = 0;
  while ((o.takers.at(taken) & only(t)) == 0) ++taken;
  std::copy(o.takers.begin() + static_cast<long>(taken) + 1, o.takers.end(),
            o.takers.begin() + static_cast<long>(taken));
  --o.tokens;
  o.waiters &= static_cast<Threads>(~only(t));
  for (Threads& takers : o.takers) takers &= o.waiters;
}

// Tokens that nobody could take any more go with it.
void Reference::leave_queue(int number, size_t t) {
  Object& o = object(number);
  o.waiters &= static_cast<Threads>(~only(t));
  int kept = 0;
  for (int i = 0; i < o.tokens; ++i) {
    const Threads takers = o.takers.at(static_cast<size_t>(i)) & o.waiters;
    if (std::popcount(takers) > kept) o.takers.at(static_cast<size_t>(kept++)) = takers;
  }
  o.tokens = static_cast<int8_t>(kept);
}

int Reference::second_half(size_t t) {
  const Line& line = line_of(t);
  const bool late = actors_[t].late;
  if (line.kind == OpKind::kOnce) object(line.object).owner = kNobody;
  if (line.kind != OpKind::kWait && line.kind != OpKind::kFutexWait) return 0;
  if (!late) take_token(line.object, t);
  if (line.kind == OpKind::kWait) lock(t, line.second, false);
  return late ? ETIMEDOUT : 0;
}

// The thread's code goes on with that result, up to its next arrival.
void Reference::is_over(size_t t, int result) {
  Actor& actor = actors_[t];
  if (result == ECANCELED) {
    actor.at = At::kExit;
    return;
  }
  const Line& line = line_of(t);
  actor.results.at(actor.line) = static_cast<int16_t>(result);
  notes_.push_back(result);
  ++actor.round;
  const bool again = line.repeats == Line::Repeats::kUntilOk && result != 0 && actor.round < line.times;
  if (!again && line.repeats != Line::Repeats::kUntilFlag) end_line(actor, line);
  arrive(t);
}

void Reference::end_line(Actor& actor, const Line& line) {
  if (line.sets != Line::kNoFlag) flags_.at(static_cast<size_t>(line.sets)) = true;
  ++actor.line;
  actor.round = 0;
}

void Reference::arrive(size_t t) {
  Actor& actor = actors_[t];
  const std::vector<Line>& lines = script_->threads[t];
  for (; actor.line < lines.size();) {
    const Line& line = lines[actor.line];
    if (line.if_ok != Line::kAlways && actor.results.at(static_cast<size_t>(line.if_ok)) != 0) {
      ++actor.line;
      continue;
    }
    const bool waits = line.repeats == Line::Repeats::kUntilFlag;
    if (!waits || (!flags_.at(static_cast<size_t>(line.flag)) && actor.round < line.times)) break;
    end_line(actor, line);
  }
  actor.late = false;
  actor.at = actor.line == lines.size() ? At::kExit : At::kOperation;
  if (actor.at == At::kOperation) actor.deadline = now_ + lines[actor.line].span;
  begin_wait(actor);
}

namespace {

struct Lister {
  long most;
  const std::function<void(const std::vector<uint32_t>&, const Reference&)>& f;
  long found = 0;
  std::vector<uint32_t> path;

  void go(Reference state) {
    const size_t length = path.size();
    while (state.movers().size() == 1) {
      path.push_back(state.movers()[0]);
      state.take(path.back());
    }
    if (state.end() != Reference::End::kNot && ++found <= most) f(path, state);
    const std::vector<uint32_t> movers = state.movers();
    for (const uint32_t mover : movers) {
      if (found > most) break;
      Reference next = state;
      path.push_back(mover);
      next.take(mover);
      go(std::move(next));
      path.pop_back();
    }
    path.resize(length);
  }
};

}  // namespace

Script fitting_script(uint64_t& seed, int rounds, long most) {
  for (;;) {
    Script script = random_script(seed++, rounds);
    const long schedules = for_every_reference_schedule(script, most, [](const auto&, const auto&) {});
    if (schedules > 1 && schedules <= most) return script;
  }
}

long for_every_reference_schedule(const Script& script, long most,
                                  const std::function<void(const std::vector<uint32_t>&, const Reference&)>& f) {
  Lister lister{most, f, 0, {}};
  lister.go(Reference(script));
  return lister.found;
}

}  // namespace snarl
