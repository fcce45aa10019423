// `snarl doctor`: looks at a program's files, runs it once under observation and once under control.
#pragma once

#include <string>

#include "base/error.h"
#include "explore/target/setup.h"
#include "os/guard.h"
#include "report/checkup.h"

namespace snarl::explore {

// Of a program that can't be controlled (`why`, from find_target): only its files are looked at.
report::Checkup examine_refused(const std::string& path, const Error& why);

// setup.timeout bounds each of the two runs. `stop_fd`: gives up when it becomes readable.
report::Checkup examine(const Setup& setup, os::Guard& guard, int cpu, int stop_fd);

}  // namespace snarl::explore
