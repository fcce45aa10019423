// The paragraphs of a report about threads: who waits for whom, and stacks. Lines of at
// most `width` columns, each ended. All texts must be printable. Pure.
#pragma once

#include <string>
#include <vector>

#include "report/finding.h"

namespace snarl::report {

using Threads = std::vector<const FindingThread*>;

// Live threads, those first that keep each other from going on.
Threads live_threads(const Finding& finding);

// One line for each thread, or two where one is too narrow: what it holds, what it waits for, where.
std::string wait_lines(const Finding& finding, const Threads& threads, size_t width);

// What the lines above add up to: a cycle of three or more, or something that nobody is left to do.
std::string deadlock_sentence(const Finding& finding, size_t width);

// "    #0 transfer   bank.cc:22" without the frames of the C and C++ implementation, unless there are no others.
std::string stack_lines(const Stack& stack, size_t width);

// Stacks of several threads and of what they hold, where they say more than wait_lines.
std::string all_stacks(const Finding& finding, const Threads& threads, size_t width);

}  // namespace snarl::report
