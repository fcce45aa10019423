// Puts a finding into words: names of threads and objects, operations, sentences. All of them are made here and in the
// files that it uses (act_words, row_words, thread_words, misuse_words, signal_name). Pure.
#pragma once

#include <string>

#include "report/document.h"
#include "report/finding.h"

namespace snarl::report {

FindingDocument in_words(const Finding& finding);

// What is wrong with a misuse, in one sentence.
std::string misuse_sentence(const Finding& finding);

}  // namespace snarl::report
