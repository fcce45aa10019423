#include "explore/time_limit.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explore/cores.h"
#include "explore/pinned.h"

namespace snarl {
namespace {

TEST(TimeLimit, WaitingForACoreDoesNotCount) {
  EXPECT_DOUBLE_EQ(latest_end(100, 10, 0), 110);
  EXPECT_DOUBLE_EQ(latest_end(100, 10, 25), 135);
}

TEST(TimeLimit, IsNotProlongedForEver) { EXPECT_DOUBLE_EQ(latest_end(100, 10, 1e6), 300); }

class Children {
 public:
  pid_t add(void (*act)()) {
    const pid_t pid = fork();
    if (pid == 0)
      for (;;) act();
    pids_.push_back(pid);
    return pid;
  }
  ~Children() {
    for (pid_t pid : pids_) kill(pid, SIGKILL);
    for (pid_t pid : pids_) waitpid(pid, nullptr, 0);
  }

 private:
  std::vector<pid_t> pids_;
};

TEST(WaitedForCore, TellsWaitingFromSleepingAndFromWork) {
  Children children;
  const Pinned here(allowed_cores().back());  // the children inherit it
  const pid_t sleeper = children.add([] { pause(); });
  const pid_t one = children.add([] {}), other = children.add([] {});
  while (waited_for_core(one) < 0.02 || waited_for_core(other) < 0.02) usleep(1000);
  EXPECT_LT(waited_for_core(sleeper), waited_for_core(one) + waited_for_core(other));
  EXPECT_EQ(waited_for_core(sleeper), waited_for_core(sleeper));
}

TEST(WaitedForCore, OfNobodyIsNothing) { EXPECT_EQ(waited_for_core(0x7ffffff0), 0); }

}  // namespace
}  // namespace snarl
