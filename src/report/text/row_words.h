// The rows of the schedule table in words. Pure.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/text/act_words.h"

namespace snarl::report {

struct RowWords {
  std::string text;        // "lock A", "preempted by policy", "wait A"
  std::string note = {};   // "held by T1"
  std::string value = {};  // of memory: what was read or written, or "0 -> 1" of an exchange
};

// `headline` is what the row of the failure says.
RowWords words_of(const FindingRow& row, const ActWords& words, const std::string& headline);

// ">> " before what stops a thread, "!! " before the failure.
const char* mark_of(const FindingRow& row);

// A number as people write it; large ones are mostly addresses or patterns.
std::string number_text(uint64_t value);

}  // namespace snarl::report
