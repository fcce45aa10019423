// What the numbers of a campaign say, in the form of a summary.
#pragma once

#include <vector>

#include "explore/campaign.h"
#include "explore/setup.h"
#include "report/summary.h"

namespace snarl {

// What will be used, and why.
Choice switching_of(const Setup& setup, const std::vector<PolicySpec>& policies = {});
Choice reset_of(const Setup& setup);

// Fills in what the campaign knows; the rest of `summary` stays.
void summarize(const Campaign& campaign, const CampaignPlan& plan, const Setup& setup, Summary& summary);

}  // namespace snarl
