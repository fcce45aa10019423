// A misuse in words. Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

class MisuseWords {
 public:
  // `finding` must outlive it.
  explicit MisuseWords(const Finding& finding) : f_(finding), m_(finding.misuse) {}

  // Without names and numbers.
  std::string headline() const;
  // What is wrong, and with what.
  std::string sentence() const;
  // "T2 thief unlocks A"
  std::string deed(const FindingDeed& deed) const;

 private:
  std::string access(const FindingDeed& deed) const;
  std::string noun() const;
  std::string name(uint32_t object) const;
  std::string object() const;
  std::string of(bool now) const;
  std::string who(uint32_t ordinal) const;

  const Finding& f_;
  const FindingMisuse& m_;
};

}  // namespace snarl::report
