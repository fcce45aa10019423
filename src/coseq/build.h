// From sources to a shared object that a lane can load.
#pragma once

#include <string>

#include "base/error.h"
#include "coseq/front/front.h"

namespace snarl::coseq {

// The path of the library. `keep`: a folder for the emitted code; empty: it is not kept. What can't be translated is an
// error of exit code 4 that names all of it.
// `bodies`: where to put the code of the functions as devices take it; null: no device is wanted.
Expected<std::string> build_lane(const Sources& sources, const std::string& keep, std::string* bodies = nullptr);

}  // namespace snarl::coseq
