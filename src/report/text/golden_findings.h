// Fixed findings and summaries, as a program could have given them, for tests.
#pragma once

#include <vector>

#include "report/finding.h"
#include "report/summary.h"

namespace snarl::report {

Finding deadlock_of_two();
Finding explained_deadlock();
Finding deadlock_of_three_names();  // long names, so that nothing fits on one line
Finding missed_signal();
Finding failed_assertion();
Finding segmentation_fault();
Finding wrong_exit_code();
Finding nine_threads();
Finding two_thousand_steps();
Finding hostile_texts();
Finding without_trace();
Finding upgraded_lock();
Finding early_timeout();
Finding spinning();
Finding stolen_lock();
Finding polite_pair();
std::vector<Finding> golden_findings();  // all of them

// Of each kind one, in golden_kinds.cc.
std::vector<Finding> findings_of_every_outcome();
std::vector<Finding> findings_of_every_misuse();
std::vector<Finding> findings_of_every_pattern();

Summary nothing_found();
Summary two_findings();
Summary suppressed_and_noted();

}  // namespace snarl::report
