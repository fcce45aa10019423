// `snarl doctor`: looks at a program's files, runs it once under observation and once under control.
#pragma once

#include <string>

#include "base/error.h"
#include "explore/guard.h"
#include "explore/setup.h"
#include "report/checkup.h"

namespace snarl {

// Of a program that can't be controlled (`why`, from find_target): only its files are looked at.
Checkup examine_refused(const std::string& path, const Error& why);

// setup.timeout bounds each of the two runs. `stop_fd`: gives up when it becomes readable.
Checkup examine(const Setup& setup, Guard& guard, int cpu, int stop_fd);

}  // namespace snarl
