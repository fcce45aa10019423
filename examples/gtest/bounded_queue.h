// A queue of limited size between threads, as one finds it in many programs. It has a bug: see queue_test.cc.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits while the queue is full.
  void push(T value) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return values_.size() < capacity_; });
    values_.push_back(std::move(value));
    changed_.notify_one();
  }

  // Waits while it is empty.
  T pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    changed_.notify_one();
    return value;
  }

  std::size_t size() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return values_.size();
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable
      changed_;  // the bug: producers and consumers share it, and one signal wakes one of either kind
  std::deque<T> values_;
};
