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

// Its footer is longer than what is shown of the end.
TEST(OutputTail, FindsWhatDoctestSays) {
  FindingDocument f;
  const std::string before = "[doctest] doctest version is \"2.4.9\"\n===\nq.cc:5:\nTEST CASE:  drains\n\n";
  const std::string after =
      "\n===\n[doctest] test cases: 1 | 0 passed\n[doctest] assertions: 1 | 0 passed\n"
      "[doctest] Status: FAILURE!\n";
  for (const std::string place : {"q.cc:7: ERROR", "q.cc(7): ERROR", "q.cc:7: FATAL ERROR"}) {
    const std::string check = place + ": CHECK( a == b ) is NOT correct!\n  values: CHECK( 1 == 2 )\n";
    f.out_tail = before + check + after;
    EXPECT_EQ(output_tail(f, 80), "Its stdout, of the first failure:\n  " + place +
                                      ": CHECK( a == b ) is NOT correct!\n    values: CHECK( 1 == 2 )\n");
  }
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
