// Man pages (roff, section 1) from the verbs' help texts and the option table. Pure.
#pragma once

#include <string>

#include "cli/verbs.h"

namespace snarl::cli {

// snarl(1): the verbs, the environment, the files, the exit codes.
std::string man_page();
// snarl-run(1) and so on.
std::string man_page(const VerbInfo& verb);

}  // namespace snarl::cli
