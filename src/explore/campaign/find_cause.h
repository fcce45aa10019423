// Looks for the cause of a failure by making runs that obey directives (explain/cause/search.h says which are tried).
#pragma once

#include "explain/cause/cause.h"
#include "explore/campaign/tries.h"
#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

// `failed` is serial and confirmed; `traced` is its replay, with events. The same for the same run, whatever the number
// of cores, as long as `stop` does not end it.
explain::Cause find_cause(const record::RunRecord& failed, const record::RunRecord& traced, const Setup& setup,
                          Executors& executors, int cpu, const Stop& stop, const TryTeller::Tell& tell = {});

// As `obey` takes it from a file. `traced` is the run that the cause was found from.
Directive directive_of(const explain::Cause& cause, const record::RunRecord& traced);

}  // namespace snarl::explore
