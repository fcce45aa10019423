#include "runtime/simulated/outside.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "runtime/state/test_run.h"

namespace snarl::runtime {
namespace {

class RealOutside : public testing::Test {
 protected:
  RealOutside() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~RealOutside() override {
    stop_awaiting(run_.other());
    close(ends_[0]);
    close(ends_[1]);
  }
  Readiness byte(bool own) const { return {.fd = ends_[0], .events = POLLIN, .own = own}; }
  void write_one() { EXPECT_EQ(write(ends_[1], "x", 1), 1); }

  TestRun run_;
  int ends_[2];
  conduct::Outside& outside_ = real_outside();
};

TEST_F(RealOutside, AsksTheKernel) {
  EXPECT_FALSE(is_ready(byte(true)));
  write_one();
  EXPECT_TRUE(is_ready(byte(true)));
}

TEST_F(RealOutside, AsksAFunctionWhereThereIsNoDescriptor) {
  bool come = false;
  const Readiness readiness{.ready = [](const Readiness& r) { return *static_cast<const bool*>(r.data); },
                            .data = &come};
  EXPECT_FALSE(is_ready(readiness));
  come = true;
  EXPECT_TRUE(is_ready(readiness));
}

TEST_F(RealOutside, KnowsWhoWaits) {
  const Readiness readiness = byte(false);
  EXPECT_FALSE(outside_.any());
  start_awaiting(run_.other(), readiness);
  EXPECT_TRUE(outside_.any());
  EXPECT_TRUE(outside_.may_come());
  stop_awaiting(run_.other());
  EXPECT_FALSE(outside_.any());
}

TEST_F(RealOutside, NobodyElseCanBringAboutWhatIsOnesOwn) {
  const Readiness readiness = byte(true);
  start_awaiting(run_.other(), readiness);
  EXPECT_TRUE(outside_.any());
  EXPECT_FALSE(outside_.may_come());
}

TEST_F(RealOutside, EnablesThoseWhoseTimeHasCome) {
  const Readiness readiness = byte(false);
  run_.model().perform(run_.other().id);  // its start
  start_awaiting(run_.other(), readiness);
  run_.model().publish(run_.other().id, Op{.kind = OpKind::kIo});
  outside_.look(run_.model());
  EXPECT_FALSE(run_.model().enabled().has(run_.other().id));
  write_one();
  outside_.look(run_.model());
  EXPECT_TRUE(run_.model().enabled().has(run_.other().id));
}

TEST(OwnDescriptors, AreRememberedByNumber) {
  for (const int fd : {0, 63, 64, 4095}) {
    EXPECT_FALSE(is_own(fd));
    note_own(fd, true);
    EXPECT_TRUE(is_own(fd));
    EXPECT_FALSE(is_own(fd ^ 1));
    note_own(fd, false);
    EXPECT_FALSE(is_own(fd));
  }
  for (const int fd : {-1, 4096}) {
    note_own(fd, true);
    EXPECT_FALSE(is_own(fd)) << "it is taken for foreign";
  }
}

}  // namespace
}  // namespace snarl::runtime
