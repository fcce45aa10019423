#include "tests/virtual/script_player.h"

#include <array>
#include <cerrno>
#include <memory>

namespace snarl {
namespace {

struct Stage {
  const Script& script;
  std::array<int, 8> slots{};  // of the threads, by script
};
using SharedStage = std::shared_ptr<Stage>;

virtual_world::Task act(virtual_world::World& w, SharedStage stage, size_t who);

virtual_world::World::Point on_thread(virtual_world::World& w, const Line& line, const SharedStage& stage) {
  virtual_world::World::Point point = w.at(line.kind, line.object);
  point.op.thread = static_cast<ThreadId>(stage->slots.at(static_cast<size_t>(line.object)));
  return point;
}

virtual_world::World::Point untimed(virtual_world::World& w, const Line& line, const SharedStage& stage) {
  virtual_world::World::Point point = w.at(line.kind, line.object, mutex_kind(line.object));
  switch (line.kind) {
    case OpKind::kCreate: {
      const virtual_world::VirtualProgram body = [stage, who = static_cast<size_t>(line.object)](
                                                     virtual_world::World& inner) { return act(inner, stage, who); };
      return w.create(body);
    }
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kDetach:
    case OpKind::kCancel:
    case OpKind::kKill: return on_thread(w, line, stage);
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost: return w.semaphore(line.kind, line.object);
    case OpKind::kBarrierWait: point.op.value = static_cast<uint64_t>(line.second); return point;
    case OpKind::kFutexWake: point.op.value = futex_value(static_cast<uint32_t>(line.second), 0); return point;
    case OpKind::kFutexRequeue: point.op.second = virtual_world::World::object_of(line.object); return point;
    case OpKind::kTestCancel: point.op.traits = kCancellable; return point;
    case OpKind::kIo: point.op.value = 1; return point;
    default: return point;
  }
}

virtual_world::World::Point first_half(virtual_world::World& w, const Line& line, const SharedStage& stage) {
  if (line.kind == OpKind::kWait)
    return line.timed ? w.wait_for(line.object, line.second, line.span) : w.wait(line.object, line.second);
  virtual_world::World::Point point = untimed(w, line, stage);
  return line.timed && line.kind != OpKind::kFutexWait ? w.in_time(point, line.span) : point;
}

// Condition waits have theirs in the world.
bool has_second_half(OpKind kind, int result) {
  return kind == OpKind::kFutexWait || kind == OpKind::kOnce || (kind == OpKind::kBarrierWait && result == 0);
}

virtual_world::World::Point second_half(virtual_world::World& w, const Line& line) {
  if (line.kind == OpKind::kOnce) return w.at(OpKind::kUser);
  if (line.kind == OpKind::kBarrierWait) return w.at(OpKind::kBarrierPass, line.object);
  w.model().enqueue(w.self(), virtual_world::World::object_of(line.object));
  virtual_world::World::Point point = w.at(OpKind::kFutexWoken, line.object);
  return line.timed ? w.in_time(point, line.span) : point;
}

virtual_world::Task act(virtual_world::World& w, SharedStage stage, size_t who) {
  const std::vector<Line>& lines = stage->script.threads[who];
  std::vector<int> results(lines.size(), -1);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.if_ok != Line::kAlways && results[static_cast<size_t>(line.if_ok)] != 0) continue;
    for (int round = 0; round < line.times; ++round) {
      if (line.repeats == Line::Repeats::kUntilFlag && w.value.at(static_cast<size_t>(line.flag)) != 0) break;
      int result = co_await first_half(w, line, stage);
      if (result == ECANCELED) co_return;
      if (line.kind == OpKind::kCreate) {
        stage->slots.at(static_cast<size_t>(line.object)) = result;
        result = 0;
      }
      if (has_second_half(line.kind, result)) result = co_await second_half(w, line);
      if (line.kind == OpKind::kOnce) w.model().finish_once(w.self(), virtual_world::World::object_of(line.object));
      results[i] = result;
      w.note(result);
      if (line.repeats == Line::Repeats::kUntilOk && result == 0) break;
    }
    if (line.sets != Line::kNoFlag) w.value.at(static_cast<size_t>(line.sets)) = 1;
  }
}

}  // namespace

virtual_world::VirtualProgram play(const Script& script) {
  return [&script](virtual_world::World& w) {
    const auto stage = std::make_shared<Stage>(Stage{script, {}});
    return act(w, stage, 0);
  };
}

}  // namespace snarl
