// What a thread was doing when the run ended, in words. Pure.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/text/act_words.h"

namespace snarl::report {

// "T1 worker"
std::string thread_title(const FindingThread& thread);

// "waits for B", "spins: trylock A", "had not started"; empty: it ended, failed, or is about to go on.
std::string doing_text(const FindingThread& thread, const ActWords& words);

// What it has yet to perform: "lock B"; empty: nothing that is known.
std::string pending_text(const FindingThread& thread, const ActWords& words);

// By name, what it waits for: an object or a thread; empty: it does not wait.
std::string awaited_text(const FindingThread& thread, const ActWords& words);

}  // namespace snarl::report
