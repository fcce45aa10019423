#include "runtime/platform/task.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace snarl::runtime::task {
namespace {

TEST(Task, SleepsInTheCallThatItIsIn) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::atomic<int> tid = 0;
  std::thread reader([&] {
    tid = static_cast<int>(syscall(SYS_gettid));
    char byte;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
  });
  while (tid == 0 || !is_asleep(tid) || call_of(tid).number != SYS_read) std::this_thread::yield();
  EXPECT_EQ(call_of(tid).first, ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), 1);
  reader.join();
  close(ends[0]);
  close(ends[1]);
}

TEST(Task, OneThatRunsIsInNoCall) {
  std::atomic<int> tid = 0;
  std::atomic<bool> enough = false;
  std::thread spinner([&] {
    tid = static_cast<int>(syscall(SYS_gettid));
    while (!enough) {
    }
  });
  while (tid == 0 || is_asleep(tid)) std::this_thread::yield();
  EXPECT_EQ(call_of(tid).number, kNoCall);
  enough = true;
  spinner.join();
}

TEST(Task, IsAloneUntilAnotherIsMade) {
  EXPECT_TRUE(is_alone());
  std::atomic<bool> enough = false;
  std::thread other([&] { enough.wait(false); });
  EXPECT_FALSE(is_alone());
  enough = true;
  enough.notify_one();
  other.join();
}

TEST(Task, OneThatIsNotThereIsUnknown) {
  EXPECT_FALSE(is_asleep(1 << 29));
  EXPECT_EQ(call_of(1 << 29).number, kUnknownCall);
}

}  // namespace
}  // namespace snarl::runtime::task
