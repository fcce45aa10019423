// The report that people read in the terminal, and the summary.
//
// Every text that came from the program is cleaned of control characters and invalid UTF-8 here, so that a report can't
// drive the terminal. Pure; safe on any thread.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/summary.h"
#include "report/text/options.h"

namespace snarl::report {

// The whole report, last line "SUMMARY: snarl: ...".
std::string finding_text(const Finding& finding, const TextOptions& options = {});

// What an exploration found, or what it means that it found nothing, and what was not covered.
std::string summary_text(const Summary& summary, const TextOptions& options = {});

// "812 partial orders, and at least 45 left by estimate", of so many schedules in all.
std::string orders_text(const SeenOrders& orders, uint64_t schedules);

}  // namespace snarl::report
