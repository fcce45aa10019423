// What names the sites of a run, and where its pairs of sites are listed (schedule/site_pair.h).
#pragma once

#include "conduct/pair_watch.h"
#include "conduct/sites.h"

namespace snarl::runtime {

conduct::SiteSources site_sources();
conduct::PairList pair_list();

}  // namespace snarl::runtime
