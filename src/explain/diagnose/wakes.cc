#include "explain/diagnose/wakes.h"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace snarl::explain {
namespace {

constexpr OpKinds kFreesLock = {OpKind::kUnlock, OpKind::kRwUnlock, OpKind::kWait};

// Who waits for a condition variable or a futex, and what was sent to them.
struct Queue {
  struct Token {
    size_t event = 0;
    std::vector<uint32_t> threads;  // that waited
    uint32_t left = 0;              // so many of them can still be woken by it
  };
  std::vector<uint32_t> waiting;
  std::deque<Token> tokens;
};

class Walk {
 public:
  Walk(std::span<const Event> events, bool complete) : events_(events), complete_(complete), wakes_(events.size()) {}

  std::vector<Wake> all() {
    for (size_t i = 0; i < events_.size(); ++i) {
      if (i > 0 && events_[i].switched == Reason::kBlocked) stopped_.insert(events_[i - 1].thread);
      perform(i);
      stopped_.erase(events_[i].thread);
    }
    return std::move(wakes_);
  }

 private:
  void perform(size_t i) {
    const Event& e = events_[i];
    switch (e.kind) {
      case OpKind::kWait:
      case OpKind::kFutexWait: queues_[e.object].waiting.push_back(e.thread); break;
      case OpKind::kSignal: send(i, 1); break;
      case OpKind::kBroadcast: send(i, ~uint32_t{0}); break;
      case OpKind::kFutexWake: send(i, static_cast<uint32_t>(e.value)); break;
      case OpKind::kReacquire:
      case OpKind::kFutexWoken: take(e); break;
      case OpKind::kCreate: created_[other_of(e)] = i; break;
      case OpKind::kStart: started(e); break;
      default:
        if (stopped_.contains(e.thread)) freed(e);
        break;
    }
    if (kFreesLock.has(e.kind)) last_free_[e.kind == OpKind::kWait ? second_of(e) : e.object] = i;
    if (e.kind == OpKind::kSemPost) last_free_[e.object] = i;
    if (e.kind == OpKind::kExit) exits_[e.thread] = i;
    // A futex wait that is not followed by its second half returned at once.
    if (e.kind != OpKind::kFutexWait && e.kind != OpKind::kFutexWoken) leave_futex(e.thread);
    if (e.kind == OpKind::kFutexWait) on_futex_[e.thread] = e.object;
  }

  void send(size_t i, uint32_t most) {
    Queue& queue = queues_[events_[i].object];
    wakes_[i].nobody = complete_ && queue.waiting.empty();
    if (!queue.waiting.empty()) queue.tokens.push_back({i, queue.waiting, most});
  }

  void take(const Event& e) {
    Queue& queue = queues_[e.object];
    std::erase(queue.waiting, e.thread);
    on_futex_.erase(e.thread);
    const bool woken = e.result == 0;
    for (Queue::Token& token : queue.tokens) {
      if (!woken || token.left == 0 || std::ranges::find(token.threads, e.thread) == token.threads.end()) continue;
      --token.left;
      wakes_[token.event].threads.push_back(e.thread);
      break;
    }
    for (Queue::Token& token : queue.tokens) std::erase(token.threads, e.thread);
    std::erase_if(queue.tokens, [](const Queue::Token& t) { return t.left == 0 || t.threads.empty(); });
  }

  void leave_futex(uint32_t thread) {
    const auto at = on_futex_.find(thread);
    if (at == on_futex_.end()) return;
    std::erase(queues_[at->second].waiting, thread);
    on_futex_.erase(at);
  }

  void started(const Event& e) {
    const auto at = created_.find(e.thread);
    if (at != created_.end()) wakes_[at->second].threads.push_back(e.thread);
  }

  // It could not take this step when it was stopped.
  void freed(const Event& e) {
    if (e.result != 0) return;
    const bool joins = e.kind == OpKind::kJoin;
    const auto& from = joins ? exits_ : last_free_;
    const auto at = from.find(joins ? other_of(e) : e.object);
    if (at != from.end() && events_[at->second].thread != e.thread) wakes_[at->second].threads.push_back(e.thread);
  }

  std::span<const Event> events_;
  bool complete_;
  std::vector<Wake> wakes_;
  std::unordered_map<uint64_t, Queue> queues_;
  std::unordered_map<uint64_t, size_t> last_free_, created_, exits_;  // events, by object or thread
  std::unordered_map<uint32_t, uint64_t> on_futex_;
  std::unordered_set<uint32_t> stopped_;  // threads that could not go on
};

}  // namespace

std::vector<Wake> wakes_of(std::span<const Event> events, bool complete) { return Walk(events, complete).all(); }

}  // namespace snarl::explain
