// Plain GoogleTest, and beside it tests whose bodies snarl runs under many schedules.
#include <gtest/gtest.h>
#include <snarl/snarl.h>

#include <thread>
#include <vector>

#include "bounded_queue.h"

// Passes on every machine, every day: what goes wrong needs a schedule that never comes by itself.
TEST(BoundedQueue, WorksOnMyMachine) {
  BoundedQueue<int> queue(2);
  std::thread producer([&] {
    for (int i = 0; i < 100; ++i) queue.push(i);
  });
  for (int i = 0; i < 100; ++i) EXPECT_EQ(queue.pop(), i);
  producer.join();
}

// One producer and one consumer: never more than one waits, so one signal is enough.
SNARL_TEST(BoundedQueue, KeepsOrder) {
  BoundedQueue<int> queue(1);
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i) queue.push(i);
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(queue.pop(), i);
    SNARL_SOMETIMES(queue.size() == 1, "the producer is ahead");
  }
  producer.join();
}

// Two of each: a signal meant for a consumer wakes a producer, which finds the queue full and goes back to sleep.
SNARL_TEST(BoundedQueue, LosesNoSignal) {
  BoundedQueue<int> queue(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      queue.push(i);
      queue.push(i);
    });
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      queue.pop();
      queue.pop();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(queue.size(), 0u);
}
