// Is the failure of a run the one that a schedule was recorded for?
#pragma once

#include "record/record.h"
#include "schedule/schedule.h"

namespace snarl::cli {

// Makes it the failure of the record, if it is among what is wrong with it. In another build places mean nothing, so
// only the kind is compared.
bool fails_again(record::RunRecord& record, const Schedule& schedule, bool same_build);

}  // namespace snarl::cli
