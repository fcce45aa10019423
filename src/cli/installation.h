// Where our own files are.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace snarl::cli {

// The path of this program.
std::string own_path();

// libsnarl_rt.so: in ../lib/snarl or ../lib, seen from this program.
Expected<std::string> find_runtime();

// The program of `snarl demo`.
Expected<std::string> find_demo();

// The commands of gdb for threads under snarl.
Expected<std::string> find_gdb_helper();

// Where scans of program files are kept, made if it isn't there: `wanted`, or the user's cache folder if that is empty
// or the default. Empty: "off", or it can't be made; everything works without it.
std::string cache_folder(const std::string& wanted);

// libsnarl_tsan.a: the hooks that instrumented programs are linked with.
Expected<std::string> find_hooks();

// Our environment as "NAME=value" words.
std::vector<std::string> own_environment();
std::string search_path();

}  // namespace snarl::cli
