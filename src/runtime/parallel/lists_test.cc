#include "runtime/parallel/lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"

namespace snarl::runtime::parallel {
namespace {

// Objects, and members that may be listed for them. The reference is a vector in the order of arrival.
class Lists : public testing::Test {
 protected:
  static constexpr size_t kMembers = 40, kObjects = 6;

  Lists() : members_(kMembers), entries_(kMembers) {
    for (size_t i = 0; i < kMembers; ++i) {
      members_[i].entry = &entries_[i];
      members_[i].low = i % 3 == 0;
      entries_[i].pending.kind = i % 2 == 0 ? OpKind::kLock : OpKind::kFutexWait;
    }
  }
  ~Lists() override {
    for (Member* member : listed_) take_off_list(*member);
  }

  const void* object(uint64_t i) const { return &objects_[i]; }

  void put(Member& member, uint64_t i, uint32_t bits) {
    put_on_list(member, key_of(object(i)), 0, bits);
    listed_.push_back(&member);
  }
  void take_off(Member& member) {
    take_off_list(member);
    listed_.erase(std::find(listed_.begin(), listed_.end(), &member));
  }

  template <typename F>
  Member* first(F&& is_it) const {
    const auto at = std::find_if(listed_.begin(), listed_.end(), is_it);
    return at == listed_.end() ? nullptr : *at;
  }

  void expect_as_in_reference() const {
    for (uint64_t i = 0; i < kObjects; ++i) {
      const auto here = [&](const Member* m) { return m->object == key_of(object(i)); };
      for (const bool low : {false, true})
        for (const uint32_t bits : {1u, 2u, ~0u})
          ASSERT_EQ(first_listed(object(i), low, bits),
                    first([&](const Member* m) { return here(m) && m->low == low && (m->bits & bits) != 0; }));
      for (const OpKind kind : {OpKind::kLock, OpKind::kFutexWait})
        ASSERT_EQ(is_listed(object(i), kind),
                  first([&](const Member* m) { return here(m) && m->entry->pending.kind == kind; }) != nullptr);
      ASSERT_TRUE(first(here) == nullptr || anybody_listed(object(i)));
    }
    ASSERT_EQ(anyone_listed() == nullptr, listed_.empty());
  }

  std::vector<Member> members_;
  std::vector<wire::Thread> entries_;
  std::vector<Member*> listed_;
  uint64_t objects_[kObjects] = {};
};

TEST_F(Lists, AreEmptyAtFirst) {
  expect_as_in_reference();
  for (uint64_t i = 0; i < kObjects; ++i) EXPECT_FALSE(anybody_listed(object(i)));
}

TEST_F(Lists, WhoIsNotListedIsNotTakenOff) {
  take_off_list(members_[0]);
  expect_as_in_reference();
}

TEST_F(Lists, AreAsAVectorInTheOrderOfArrival) {
  Rng rng(7, 1, Stream::kPolicy);
  for (int i = 0; i < 3000; ++i) {
    Member& member = members_[rng.below(kMembers)];
    if (member.object != 0)
      take_off(member);
    else
      put(member, rng.below(kObjects), rng.below(2) == 0 ? 1u : 2u);
    expect_as_in_reference();
  }
}

}  // namespace
}  // namespace snarl::runtime::parallel
