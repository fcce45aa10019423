#include "report/output_tail.h"

#include <gtest/gtest.h>

namespace snarl::report {
namespace {

TEST(OutputTail, BeginsWhereATestFrameworkTellsTheFirstFailure) {
  FindingHead f;
  f.out_tail =
      "[ RUN      ] Queue.Drains\nqueue_test.cc:14: Failure\nExpected equality of these values:\n  got\n    Which is: "
      "2\n[  FAILED  ] Queue.Drains\n"
      "queue_test.cc:15: Failure\n[  FAILED  ] Queue.Drains\n";
  EXPECT_EQ(output_tail(f, "", 80),
            "Its stdout, of the first failure:\n  queue_test.cc:14: Failure\n"
            "  Expected equality of these values:\n    got\n      Which is: 2\n");
}

// Its footer is longer than what is shown of the end.
TEST(OutputTail, FindsWhatDoctestSays) {
  FindingHead f;
  const std::string before = "[doctest] doctest version is \"2.4.9\"\n===\nq.cc:5:\nTEST CASE:  drains\n\n";
  const std::string after =
      "\n===\n[doctest] test cases: 1 | 0 passed\n[doctest] assertions: 1 | 0 passed\n"
      "[doctest] Status: FAILURE!\n";
  for (const std::string place : {"q.cc:7: ERROR", "q.cc(7): ERROR", "q.cc:7: FATAL ERROR"}) {
    const std::string check = place + ": CHECK( a == b ) is NOT correct!\n  values: CHECK( 1 == 2 )\n";
    f.out_tail = before + check + after;
    EXPECT_EQ(output_tail(f, "", 80), "Its stdout, of the first failure:\n  " + place +
                                          ": CHECK( a == b ) is NOT correct!\n    values: CHECK( 1 == 2 )\n");
  }
}

// Its footer is on stderr, and says nothing.
TEST(OutputTail, FindsWhatBoostTestSays) {
  FindingHead f;
  const std::string first = "q.cc(7): error: in \"Queue/drains\": check a == b has failed [1 != 2]";
  f.out_tail = "Running 2 test cases...\n" + first +
               "\nq.cc(9): fatal error: in \"Queue/drains\": critical check c has failed\n";
  f.err_tail = "\n*** 2 failures are detected in the test module \"queue\"\n";
  EXPECT_EQ(output_tail(f, "", 90), "Its stdout, of the first failure:\n  " + first + "\n");
}

TEST(OutputTail, FindsWhatCatch2Says) {
  FindingHead f;
  f.out_tail =
      "~~~\nq is a Catch2 v3.4.0 host application.\n\nq.cc:7: FAILED:\n  REQUIRE( a == b )\nwith expansion:\n  1 == "
      "2\n\n===\n";
  EXPECT_EQ(output_tail(f, "", 80),
            "Its stdout, of the first failure:\n  q.cc:7: FAILED:\n    REQUIRE( a == b )\n  with expansion:\n    1 == "
            "2\n");
}

TEST(OutputTail, OtherwiseItIsTheEnd) {
  FindingHead f;
  f.out_tail = "one\ntwo\nFailure is no option\n";
  EXPECT_EQ(output_tail(f, "", 80), "Its stdout:\n  one\n  two\n  Failure is no option\n");
  f.err_tail = "stack smashed\n";
  EXPECT_EQ(output_tail(f, "", 80), "Its stderr:\n  stack smashed\n");
}

}  // namespace
}  // namespace snarl::report
