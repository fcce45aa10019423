#include "explore/doctor/observe.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace snarl::explore {
namespace {

class ObserveTest : public testing::Test {
 protected:
  ObserveTest() : guard_(os::Guard::start()) {
    char name[] = "/tmp/snarl-observe-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~ObserveTest() override { std::filesystem::remove_all(folder_); }

  Observation shell(const std::string& script, double seconds = 20) {
    snarl::explore::Setup setup;
    setup.target.path = "/bin/sh";
    setup.target.argv = {"sh", "-c", script};
    setup.environment = {"PATH=/usr/bin:/bin"};
    return observe(setup, *guard_, seconds, -1);
  }
  static bool has(const Observation& seen, const std::string& kind, const std::string& what) {
    for (const auto& one : seen.effects)
      if (one.effect.kind == kind && one.effect.what == what) return true;
    return false;
  }

  Expected<os::Guard> guard_;
  std::string folder_;
};

// Gone, or a zombie that its new parent has not reaped yet.
bool has_ended(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return !(status >> number >> name >> state) || state == "Z" || state == "X";
}

#define SKIP_WITHOUT_PTRACE(seen) \
  if (!(seen).could_not.empty()) GTEST_SKIP() << "ptrace is forbidden here: " << (seen).could_not

TEST_F(ObserveTest, SeesWhatAProgramAndItsChildrenDo) {
  const std::string file = folder_ + "/file";
  const Observation seen = shell("echo x > " + file + "; (rm " + file + "); exit 3");
  SKIP_WITHOUT_PTRACE(seen);
  EXPECT_TRUE(seen.ended);
  EXPECT_EQ(WEXITSTATUS(seen.status), 3);
  EXPECT_TRUE(has(seen, "writes", file));
  EXPECT_TRUE(has(seen, "deletes", file));
  EXPECT_TRUE(has(seen, "starts", "a process"));
}

TEST_F(ObserveTest, EndsWhatDoesNotEnd) {
  const std::string file = folder_ + "/pid";
  const Observation seen = shell("sleep 1000 & echo $! > " + file + "; wait", 0.5);
  SKIP_WITHOUT_PTRACE(seen);
  EXPECT_FALSE(seen.ended);
  EXPECT_LT(seen.seconds, 15);
  int child = 0;
  std::ifstream(file) >> child;
  EXPECT_TRUE(child == 0 || has_ended(child)) << "the child is still there";
}

TEST_F(ObserveTest, SignalsReachTheProgram) {
  const Observation seen = shell("trap 'exit 7' USR1; kill -USR1 $$; exit 1");
  SKIP_WITHOUT_PTRACE(seen);
  EXPECT_TRUE(seen.ended);
  EXPECT_EQ(WEXITSTATUS(seen.status), 7);
  const Observation killed = shell("kill -ABRT $$");
  EXPECT_TRUE(WIFSIGNALED(killed.status));
}

// As in a container: from here on ptrace fails.
bool forbid_ptrace() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(ObserveTest, SaysWhenItMayNotLook) {
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid_ptrace()) _exit(2);
    _exit(shell("exit 0").could_not.find("not permitted") == std::string::npos ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace snarl::explore
