// Names of signals.
#pragma once

#include <string>

namespace snarl::report {

// "SIGSEGV"; "signal 34" for those without a name of their own. Linux on x86-64.
std::string signal_name(int signal);

}  // namespace snarl::report
