#include "report/output_tail.h"

#include <gtest/gtest.h>

namespace snarl::report {
namespace {

TEST(OutputTail, BeginsWhereATestFrameworkTellsTheFirstFailure) {
  FindingDocument f;
  f.out_tail =
      "[ RUN      ] Queue.Drains\nqueue_test.cc:14: Failure\nExpected equality of these values:\n  got\n    Which is: "
      "2\n[  FAILED  ] Queue.Drains\n"
      "queue_test.cc:15: Failure\n[  FAILED  ] Queue.Drains\n";
  EXPECT_EQ(output_tail(f, 80),
            "Its stdout, of the first failure:\n  queue_test.cc:14: Failure\n"
            "  Expected equality of these values:\n    got\n      Which is: 2\n");
}

TEST(OutputTail, OtherwiseItIsTheEnd) {
  FindingDocument f;
  f.out_tail = "one\ntwo\nFailure is no option\n";
  EXPECT_EQ(output_tail(f, 80), "Its stdout:\n  one\n  two\n  Failure is no option\n");
  f.err_tail = "stack smashed\n";
  EXPECT_EQ(output_tail(f, 80), "Its stderr:\n  stack smashed\n");
}

}  // namespace
}  // namespace snarl::report
