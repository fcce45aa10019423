// The native twin: the program as threads of the machine, with a point at each access that is one in a lane.
#pragma once

#include <llvm/IR/Module.h>

#include "base/error.h"
#include "coseq/front/front.h"

namespace snarl::coseq {

// `module`: marked, and without models. Written to sources.twin as a program.
Status make_twin(const llvm::Module& module, const Sources& sources);

}  // namespace snarl::coseq
