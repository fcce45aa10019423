// A misuse with both its places: the wrong call, and what makes it wrong.
#pragma once

#include "explain/diagnose/objects.h"
#include "explain/diagnose/places.h"

namespace snarl::explain {

// Sets Finding::misuse, deeds, place and failing_thread. The record is as it was when the misuse happened.
void fill_misuse(report::Finding& finding, const record::RunRecord& record, const wire::MisuseEntry& entry,
                 Places& places, ObjectTable& objects);

}  // namespace snarl::explain
