// What to say of a program that has one schedule.
#pragma once

#include "base/error.h"
#include "explore/campaign/explorer.h"
#include "explore/target/target.h"

namespace snarl::cli {

// `exploration` is one of a program with one thread.
Error one_thread_error(const explore::Target& target, const explore::Exploration& exploration);

}  // namespace snarl::cli
