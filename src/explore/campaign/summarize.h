// What the numbers of a campaign say, in the form of a summary.
#pragma once

#include <vector>

#include "explore/campaign/campaign.h"
#include "explore/target/setup.h"
#include "report/summary.h"

namespace snarl::explore {

// What will be used, and why.
// `obstacle`: what turned out to be in the way of fibers.
report::Chosen switching_of(const Setup& setup, const std::vector<PolicySpec>& policies = {},
                            const std::string& obstacle = {});
report::Chosen reset_of(const Setup& setup);

// Fills in what the campaign knows; the rest of `summary` stays.
void summarize(const Campaign& campaign, const CampaignPlan& plan, const Setup& setup, const std::string& obstacle,
               report::Summary& summary);

}  // namespace snarl::explore
