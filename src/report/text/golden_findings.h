// Fixed findings, as a program could have given them, for tests.
#pragma once

#include "report/document.h"
#include "report/summary.h"

namespace snarl::report {

FindingDocument deadlock_of_two();
FindingDocument deadlock_of_three_names();  // long names, so that nothing fits on one line
FindingDocument missed_signal();
FindingDocument failed_assertion();
FindingDocument segmentation_fault();
FindingDocument wrong_exit_code();
FindingDocument nine_threads();
FindingDocument two_thousand_steps();
FindingDocument hostile_texts();
FindingDocument without_trace();
FindingDocument upgraded_lock();
FindingDocument early_timeout();
FindingDocument spinning();
FindingDocument stolen_lock();
FindingDocument polite_pair();

Summary nothing_found();
Summary two_findings();
Summary suppressed_and_noted();

}  // namespace snarl::report
