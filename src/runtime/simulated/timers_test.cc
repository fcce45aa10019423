#include "runtime/simulated/timers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <vector>

#include "runtime/state/test_run.h"

namespace snarl::runtime::timers {
namespace {

class Timers : public testing::Test {
 protected:
  ~Timers() override {
    for (const int timer : made_) drop(timer);
  }
  int made(const Effect& effect) {
    const int timer = make(effect);
    if (timer >= 0) made_.push_back(timer);
    return timer;
  }

  TestRun run_;
  std::vector<int> made_;
};

TEST_F(Timers, SayHowLongTheyStillTake) {
  const int timer = made({.kind = Kind::kInterval});
  EXPECT_EQ(remaining(timer), 0u) << "it is not set";
  const uint64_t now = run_.model().now();
  set(timer, now + 500, 0, 0);
  EXPECT_EQ(remaining(timer), 500u);
  stop(timer);
  EXPECT_EQ(remaining(timer), 0u);
  set(timer, now, 0, 0);
  EXPECT_EQ(remaining(timer), 1u) << "zero would mean that it is not set";
}

TEST_F(Timers, OnceIsOnce) {
  const int timer = made({.kind = Kind::kPosix});
  set(timer, run_.model().now() + 500, 0, 0);
  fired(timer);
  EXPECT_EQ(remaining(timer), 0u);
}

// The kernel says how often the descriptor was written.
TEST_F(Timers, OneWithADescriptorWritesItAndWaitsUntilThatIsRead) {
  const int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  const int timer = made({.kind = Kind::kFd, .fd = 77, .own_fd = fd});
  EXPECT_EQ(with_fd(77), timer);
  EXPECT_EQ(with_fd(78), -1);
  set(timer, run_.model().now() + 100, 100, 0);
  fired(timer);
  EXPECT_EQ(remaining(timer), 0u) << "it goes on when it has been noticed";
  uint64_t count = 0;
  EXPECT_EQ(read(fd, &count, sizeof count), 8);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(read_from(timer), 0u) << "no time has passed meanwhile";
  EXPECT_EQ(remaining(timer), 200u);
  EXPECT_EQ(interval_of(timer), 100u);
  drop(timer);
  made_.clear();
  EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "it was closed";
}

TEST_F(Timers, AreFoundByKind) {
  const int interval = made({.kind = Kind::kInterval}), posix = made({.kind = Kind::kPosix});
  EXPECT_EQ(of_kind(Kind::kInterval), interval);
  EXPECT_EQ(of_kind(Kind::kPosix), posix);
  EXPECT_TRUE(is_kind(posix, Kind::kPosix));
  EXPECT_FALSE(is_kind(posix, Kind::kFd));
  EXPECT_FALSE(is_kind(-1, Kind::kUnused));
}

TEST_F(Timers, TooManyAreRefusedAndPlacesAreUsedAgain) {
  int count = 0;
  while (made({.kind = Kind::kPosix}) >= 0) ASSERT_LT(++count, 10'000);
  ASSERT_GT(count, 1);
  const int first = made_.front();
  drop(first);
  EXPECT_EQ(make({.kind = Kind::kInterval}), first);
  EXPECT_EQ(make({.kind = Kind::kInterval}), -1);
}

}  // namespace
}  // namespace snarl::runtime::timers
