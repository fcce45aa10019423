// The cause of a failure as a finding has it.
#pragma once

#include "explain/cause/cause.h"
#include "explain/diagnose/objects.h"
#include "explain/diagnose/places.h"
#include "record/record.h"
#include "report/finding.h"

namespace snarl::explain {

// `cause` was found from the events of the run, the first of which `run` may have lost; `f` has its rows.
void fill_cause(report::Finding& f, const Cause& cause, Places& places, ObjectTable& objects,
                const record::RunRecord& run);

// The pattern, if one fits. `cause` may be null.
void fill_pattern(report::Finding& f, const Cause* cause, Places& places, ObjectTable& objects,
                  const record::RunRecord& run);

}  // namespace snarl::explain
