#include "tests/virtual/script.h"

#include <iterator>

#include "base/rng.h"

namespace snarl {
namespace {

constexpr int kMutex = 0, kOwnMutex = 3, kCondition = 10, kReadWrite = 20, kSemaphore = 30, kBarrier = 40, kFutex = 50,
              kOnce = 60;
constexpr int kFlags = 3;

// Operations that neither wait for anything nor change what others wait for.
constexpr OpKind kPlain[] = {OpKind::kYield,      OpKind::kPause,       OpKind::kSleep,       OpKind::kTestCancel,
                             OpKind::kRead,       OpKind::kWrite,       OpKind::kAtomicLoad,  OpKind::kAtomicStore,
                             OpKind::kAtomicRmw,  OpKind::kFence,       OpKind::kFunction,    OpKind::kUser,
                             OpKind::kIo,         OpKind::kFork,        OpKind::kMutexInit,   OpKind::kMutexDestroy,
                             OpKind::kCondInit,   OpKind::kCondDestroy, OpKind::kRwInit,      OpKind::kRwDestroy,
                             OpKind::kSemInit,    OpKind::kSemDestroy,  OpKind::kBarrierInit, OpKind::kBarrierDestroy,
                             OpKind::kConsistent, OpKind::kFutexRequeue};

class Author {
 public:
  explicit Author(uint64_t seed) : next_plain_(seed), rng_(seed) {}

  Script small() {
    Script script;
    const size_t children = 1 + (below(3) == 0 ? 1 : 0);
    script.threads.resize(1 + children);
    for (size_t t = 1; t <= children; ++t) script.threads[t] = blocks(below(children == 1 ? 4 : 2));
    main_of(script, children == 1 ? below(3) : 0);
    return script;
  }

  // The rest is small, as each step beside the loop multiplies the schedules by its rounds.
  Script retrying(int rounds) {
    Script script;
    script.threads.resize(2);
    const bool main_holds = below(2) == 0;
    if (main_holds) script.threads[0].push_back({.kind = OpKind::kLock, .object = kMutex});
    if (rounds < 20 && below(2) == 0) add(script.threads[1], block());
    add(script.threads[1], retry(rounds, main_holds));
    if (below(2) == 0) add(script.threads[1], block());
    main_of(script, rounds < 100 ? below(2) : 0);
    return script;
  }

 private:
  using Lines = std::vector<Line>;

  int below(int n) { return static_cast<int>(rng_.below(static_cast<uint64_t>(n))); }
  // Some lie so far ahead that they are no choice.
  uint64_t span() { return below(6) == 0 ? 2'000'000'000 : 10 * rng_.below(4); }
  int mutex() { return below(3); }

  static void add(Lines& lines, Lines more) {
    const int offset = static_cast<int>(lines.size());
    for (Line& line : more) {
      if (line.if_ok != Line::kAlways) line.if_ok += offset;
      lines.push_back(line);
    }
  }

  Lines blocks(int count) {
    Lines lines;
    for (int i = 0; i < count; ++i) add(lines, block());
    return lines;
  }

  void main_of(Script& script, int count) {
    Lines& main = script.threads[0];
    for (int child = 1; child < static_cast<int>(script.threads.size()); ++child) {
      main.push_back({.kind = OpKind::kCreate, .object = child});
      if (below(8) == 0) main.push_back({.kind = below(2) == 0 ? OpKind::kCancel : OpKind::kKill, .object = child});
    }
    add(main, blocks(count));
    for (int child = 1; child < static_cast<int>(script.threads.size()); ++child) {
      const int how = below(8);
      if (how == 0) main.push_back({.kind = OpKind::kDetach, .object = child});
      if (how == 1)
        main.push_back({.kind = OpKind::kTryJoin, .object = child, .repeats = Line::Repeats::kUntilOk, .times = 3});
      if (how > 2) main.push_back({.kind = OpKind::kJoin, .object = child});
    }
  }

  Lines plain() {
    const OpKind kind = kPlain[next_plain_++ % std::size(kPlain)];
    Line line{.kind = kind, .object = Line::kNothing, .timed = kind == OpKind::kSleep};
    if (below(2) == 0) line.sets = below(kFlags);
    return {line};
  }

  // Takes something, does one thing, and gives it back if it has it.
  Lines held(Line takes, OpKind gives_back) {
    Lines lines = {takes};
    if (below(2) == 0) add(lines, plain());
    lines.push_back({.kind = gives_back, .object = takes.object, .if_ok = 0});
    return lines;
  }

  Lines waits(bool timed, Line::Repeats repeats = Line::Repeats::kNot, int times = 1) {
    return {{.kind = OpKind::kLock, .object = kOwnMutex},
            {.kind = OpKind::kWait,
             .object = kCondition + below(2),
             .second = kOwnMutex,
             .timed = timed,
             .span = span() + 1,
             .repeats = repeats,
             .times = times,
             .flag = below(kFlags)},
            {.kind = OpKind::kUnlock, .object = kOwnMutex}};
  }

  Lines block() {
    switch (below(20)) {
      case 0: return held({.kind = OpKind::kLock, .object = mutex()}, OpKind::kUnlock);
      case 1: return held({.kind = OpKind::kTryLock, .object = mutex()}, OpKind::kUnlock);
      case 2: return held({.kind = OpKind::kLock, .object = mutex(), .timed = true, .span = span()}, OpKind::kUnlock);
      case 3:
        return held({.kind = below(2) == 0 ? OpKind::kReadLock : OpKind::kWriteLock, .object = kReadWrite},
                    OpKind::kRwUnlock);
      case 4:
        return held({.kind = below(2) == 0 ? OpKind::kTryReadLock : OpKind::kTryWriteLock, .object = kReadWrite},
                    OpKind::kRwUnlock);
      case 5: return waits(below(3) != 0);
      case 6:
        return {{.kind = below(2) == 0 ? OpKind::kSignal : OpKind::kBroadcast,
                 .object = kCondition + below(2),
                 .sets = below(kFlags)}};
      case 7: return {{.kind = OpKind::kSemPost, .object = kSemaphore + below(2)}};
      case 8:
        return {{.kind = OpKind::kSemWait, .object = kSemaphore + below(2), .timed = below(2) == 0, .span = span()}};
      case 9: return {{.kind = OpKind::kSemTryWait, .object = kSemaphore + below(2)}};
      case 10: return {{.kind = OpKind::kBarrierWait, .object = kBarrier, .second = 1 + below(2)}};
      case 11: return {{.kind = OpKind::kFutexWait, .object = kFutex, .timed = below(3) != 0, .span = span()}};
      case 12: return {{.kind = OpKind::kFutexWake, .object = kFutex, .second = 1 + below(2)}};
      case 13: return {{.kind = OpKind::kOnce, .object = kOnce}};
      case 14: return {{.kind = OpKind::kSleep, .object = Line::kNothing, .timed = true, .span = span()}};
      default: return plain();
    }
  }

  // `locked`: main holds a mutex that this loop can't have.
  Lines retry(int rounds, bool locked) {
    const auto until_flag = [&](OpKind kind) -> Lines {
      return {{.kind = kind,
               .object = Line::kNothing,
               .timed = kind == OpKind::kSleep,
               .repeats = Line::Repeats::kUntilFlag,
               .times = rounds,
               .flag = below(kFlags)}};
    };
    const auto until_ok = [&](OpKind kind, int object, bool timed) -> Lines {
      return {{.kind = kind,
               .object = object,
               .timed = timed,
               .span = span(),
               .repeats = Line::Repeats::kUntilOk,
               .times = rounds}};
    };
    switch (below(locked ? 11 : 9)) {
      case 0:
      case 1: return until_flag(OpKind::kYield);
      case 2: return until_flag(OpKind::kPause);
      case 3: return until_flag(OpKind::kSleep);
      case 4: return until_flag(OpKind::kAtomicLoad);
      case 5: return until_flag(OpKind::kTestCancel);
      case 6: return until_ok(OpKind::kSemTryWait, kSemaphore, false);
      case 7: return until_ok(OpKind::kSemWait, kSemaphore, true);
      case 8: return waits(true, Line::Repeats::kUntilFlag, rounds);
      case 9: return until_ok(OpKind::kTryLock, kMutex, false);
      default: return until_ok(OpKind::kLock, kMutex, true);
    }
  }

  uint64_t next_plain_;  // in turn, so that a few hundred programs have all of them
  Rng rng_;
};

}  // namespace

Script random_script(uint64_t seed, int rounds) {
  Author author(seed);
  return rounds == 0 ? author.small() : author.retrying(rounds);
}

}  // namespace snarl
