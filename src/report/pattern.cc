#include "report/pattern.h"

#include <cstddef>

namespace snarl::report {

const char* name_of(PatternKind kind) {
  constexpr const char* kNames[] = {"",
                                    "abba",
                                    "lock_cycle",
                                    "lost_wake_up",
                                    "overtaken",
                                    "aba",
                                    "atomicity_violation",
                                    "order_violation",
                                    "destroyed_in_use",
                                    "used_after_destroy",
                                    "use_after_free",
                                    "wake_up_taken",
                                    "double_take",
                                    "missed_recheck",
                                    "published_early",
                                    "made_anew"};
  static_assert(sizeof kNames / sizeof *kNames == static_cast<size_t>(PatternKind::kCount));
  return kind < PatternKind::kCount ? kNames[static_cast<size_t>(kind)] : "?";
}

}  // namespace snarl::report
