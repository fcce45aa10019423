// For tests against glibc: a real thread that makes one call at a time, when it is told to. So the order of the calls
// of several threads is forced, and the model can be asked about the same order.
#pragma once

#include <condition_variable>
#include <ctime>
#include <functional>
#include <mutex>
#include <thread>

namespace snarl::model {

class Actor {
 public:
  Actor() : thread_([this] { loop(); }) {}
  ~Actor() { end(); }
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  // The call's result.
  int call(std::function<int()> what) {
    begin(std::move(what));
    return result();
  }
  // For a call that blocks until another actor does something.
  void begin(std::function<int()> what) {
    std::lock_guard lock(mutex_);
    what_ = std::move(what);
    busy_ = true;
    changed_.notify_all();
  }
  int result() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
    return result_;
  }
  bool is_busy() {
    std::lock_guard lock(mutex_);
    return busy_;
  }
  // Ends its thread, with whatever it holds.
  void end() {
    if (!thread_.joinable()) return;
    begin(nullptr);
    thread_.join();
  }

 private:
  void loop() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return busy_; });
      const std::function<int()> what = std::move(what_);
      if (!what) return;
      lock.unlock();
      const int result = what();
      lock.lock();
      result_ = result;
      busy_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<int()> what_;
  bool busy_ = false;
  int result_ = 0;
  std::thread thread_;
};

inline constexpr timespec kPast = {.tv_sec = 1, .tv_nsec = 0};

}  // namespace snarl::model
