#include "os/capture.h"

#include <gtest/gtest.h>

namespace snarl::os {
namespace {

TEST(Capture, KeepsShortTextsWhole) {
  Capture capture;
  capture.append("hello ");
  capture.append("world");
  EXPECT_EQ(capture.text(), "hello world");
  EXPECT_FALSE(capture.cut());
}

TEST(Capture, KeepsHeadAndTailOfLongOnes) {
  for (size_t piece : {1u, 1000u, 70'000u, 2'000'000u}) {
    Capture capture;
    std::string all;
    while (all.size() < 2'000'000) {
      std::string part;
      while (part.size() < piece) part += std::to_string(all.size() + part.size()) + " ";
      capture.append(part);
      all += part;
    }
    const std::string text = capture.text();
    EXPECT_TRUE(capture.cut());
    EXPECT_LT(text.size(), Capture::kHead + Capture::kTail + 100);
    EXPECT_EQ(text.substr(0, Capture::kHead), all.substr(0, Capture::kHead));
    EXPECT_EQ(text.substr(text.size() - Capture::kTail), all.substr(all.size() - Capture::kTail));
  }
}

TEST(Capture, ExactlyFullIsNotCut) {
  Capture capture;
  capture.append(std::string(Capture::kHead + Capture::kTail, 'a'));
  EXPECT_FALSE(capture.cut());
  capture.append("b");
  EXPECT_TRUE(capture.cut());
  EXPECT_EQ(capture.text().back(), 'b');
}

TEST(Capture, HashesAllBytesWhateverTheirParts) {
  const std::string text(Capture::kHead + 3 * Capture::kTail, 'x');
  Capture whole, parts, other;
  whole.append(text);
  for (size_t at = 0; at < text.size(); at += 1000) parts.append(std::string_view(text).substr(at, 1000));
  EXPECT_EQ(whole.hash().value(), parts.hash().value());
  other.append(text.substr(1));
  EXPECT_NE(whole.hash().value(), other.hash().value());
  parts.clear();
  EXPECT_EQ(parts.hash().value(), Capture().hash().value());
}

}  // namespace
}  // namespace snarl::os
