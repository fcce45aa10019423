// For tests: a real child process.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snarl::os {

// Calls `act` again and again until the test ends.
class TestChild {
 public:
  explicit TestChild(void (*act)()) : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile bool stays = true; stays;) act();  // clang leaves out a loop that touches nothing
  }
  TestChild(const TestChild&) = delete;
  TestChild& operator=(const TestChild&) = delete;
  ~TestChild() {
    if (pid_ <= 0) return;  // killing those would end more than a child
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

}  // namespace snarl::os
