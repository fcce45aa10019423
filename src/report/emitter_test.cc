#include "report/emitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::report {
namespace {

using testing::ElementsAre;

// Writes down what it is told, and fails when it is to.
class Notebook final : public Emitter {
 public:
  Notebook(std::string name, std::vector<std::string>& notes, bool full = false)
      : name_(std::move(name)), notes_(notes), full_(full) {}

  void progress(const Progress& p) override { notes_.push_back(name_ + " " + std::to_string(p.schedules)); }
  Status finding(const Found& found) override { return note(found.finding.id); }
  void lost(const Found& found) override { notes_.push_back(name_ + " lost " + found.finding.id); }
  Status end(const Summary&, const Ending& ending) override { return note(ending.tested ? "end" : "nothing"); }

 private:
  Status note(const std::string& text) {
    if (full_) return Error{"the disk is full"};
    notes_.push_back(name_ + " " + text);
    return Done{};
  }

  std::string name_;
  std::vector<std::string>& notes_;
  bool full_;
};

TEST(Emitters, AreToldInTheirOrder) {
  std::vector<std::string> notes;
  Emitters emitters;
  emitters.add(std::make_unique<Notebook>("a", notes));
  emitters.add(std::make_unique<Notebook>("b", notes));
  emitters.progress({.schedules = 7});
  Finding finding;
  finding.id = "0001";
  EXPECT_TRUE(emitters.finding({finding, {}}));
  EXPECT_TRUE(emitters.end({}, {}));
  EXPECT_TRUE(emitters.end({}, {.tested = false}));
  EXPECT_THAT(notes, ElementsAre("a 7", "b 7", "a 0001", "b 0001", "a end", "b end", "a nothing", "b nothing"));
}

TEST(Emitters, AfterAnErrorAFindingIsLostForAllAndTheEndIsNot) {
  std::vector<std::string> notes;
  Emitters emitters;
  emitters.add(std::make_unique<Notebook>("a", notes));
  emitters.add(std::make_unique<Notebook>("b", notes, true));
  emitters.add(std::make_unique<Notebook>("c", notes));
  Finding finding;
  finding.id = "0001";
  const Status found = emitters.finding({finding, {}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "the disk is full");
  EXPECT_THAT(notes, ElementsAre("a 0001", "a lost 0001", "b lost 0001", "c lost 0001"));
  notes.clear();
  EXPECT_FALSE(emitters.end({}, {}));
  EXPECT_THAT(notes, ElementsAre("a end", "c end"));
}

}  // namespace
}  // namespace snarl::report
