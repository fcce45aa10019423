// What failed, in words. All words of a finding are made here and in the files beside it: act_words (operations),
// thread_words, row_words, misuse_words, pattern_words, cause_lines. They have the texts of the program as they are:
// whoever shows them cleans them (report/printable.h, report/finding_texts.h). Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

// "deadlock", "assertion failed", "SIGSEGV": without places.
std::string headline_of(const Finding& finding);
// The text of an assertion, or what happened in a sentence; empty: the headline says it all.
std::string message_of(const Finding& finding);
// The SUMMARY line behind "SUMMARY: snarl: ": "deadlock bank.cc:22 in transfer".
std::string summary_of(const Finding& finding);
// What happened, in one sentence, where a known kind of bug fits; empty otherwise.
std::string sentence_of(const Finding& finding);
// "48-byte block allocated at f.cc:12 by T1, +16"; empty: the object is not known to be of the heap.
std::string block_text(const FindingBlock& block);

}  // namespace snarl::report
