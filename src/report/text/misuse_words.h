// A misuse in words. Pure.
#pragma once

#include <string>

#include "report/document.h"
#include "report/finding.h"

namespace snarl::report {

class MisuseWords {
 public:
  // `threads` are those of the document, whose names are said. All must outlive it.
  MisuseWords(const Finding& finding, const std::vector<DocumentThread>& threads)
      : f_(finding), m_(finding.misuse), threads_(threads) {}

  // Without names and numbers.
  std::string headline() const;
  // What is wrong, and with what.
  std::string sentence() const;
  // "T2 thief unlocks A"
  std::string deed(const FindingDeed& deed) const;

 private:
  std::string noun() const;
  std::string object() const;
  std::string of(bool now) const;
  std::string who(uint32_t ordinal) const;

  const Finding& f_;
  const FindingMisuse& m_;
  const std::vector<DocumentThread>& threads_;
};

}  // namespace snarl::report
