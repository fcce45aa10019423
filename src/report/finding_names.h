// The names that report.json has for the enumerations of a finding. Pure.
#pragma once

#include "report/finding.h"

namespace snarl {

// Enumerations of the schedule that only reports name.
const char* name_of(LockShape shape);
const char* name_of(WrongOutput::Kind kind);
const char* name_of(MemoryOrder order);

}  // namespace snarl

namespace snarl::report {

// "step", "switch", ...; "?" for a number that is none of them.
const char* name_of(RowKind kind);
const char* name_of(Holding how);
const char* name_of(ThreadState state);
const char* name_of(Doing doing);
const char* name_of(Holder holder);
const char* name_of(DeedKind kind);

}  // namespace snarl::report
