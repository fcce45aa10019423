// The files of a program and the options of each, from compile_commands.json.
#pragma once

#include <string>

#include "base/error.h"
#include "coseq/front/sources.h"

namespace snarl::coseq {

// Without files in `sources`: all of the database; otherwise only the options of those.
Status read_database(const std::string& path, Sources& sources);

}  // namespace snarl::coseq
