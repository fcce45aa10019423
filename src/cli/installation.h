// Where our own files are.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace snarl {

// The path of this program.
std::string own_path();

// libsnarl_rt.so: in ../lib/snarl or ../lib, seen from this program.
Expected<std::string> find_runtime();

// The program of `snarl demo`.
Expected<std::string> find_demo();

// The commands of gdb for threads under snarl.
Expected<std::string> find_gdb_helper();

// Our environment as "NAME=value" words.
std::vector<std::string> own_environment();
std::string search_path();

}  // namespace snarl
