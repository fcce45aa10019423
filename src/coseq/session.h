// The verb `lanes`: options, translation, exploration, report.
#pragma once

#include <string>
#include <vector>

namespace snarl::coseq {

int lanes_main(const std::vector<std::string>& words);

}  // namespace snarl::coseq
