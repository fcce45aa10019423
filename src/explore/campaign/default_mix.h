// The policies of an exploration that names none: which they are, and how many of its schedules each of them has.
#pragma once

#include <string>

#include "explore/campaign/campaign.h"

namespace snarl::explore {

// "hold, surw, ...": for people.
std::string default_policies();

// Fills in policies, rota and sync_only.
void set_default_policies(PointSet points, CampaignPlan& plan);

}  // namespace snarl::explore
