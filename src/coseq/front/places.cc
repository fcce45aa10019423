#include "coseq/front/places.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

namespace snarl::coseq {
namespace {

// Where a line of a system's header was inlined: the innermost line of the program itself, if there is one.
const llvm::DILocation* own_location(const llvm::DILocation* location) {
  for (const llvm::DILocation* at = location; at != nullptr; at = at->getInlinedAt())
    if (at->getLine() != 0 && !at->getFilename().contains("/include/c++/") && !at->getFilename().startswith("/usr/"))
      return at;
  return location;
}

}  // namespace

SourcePlace place_of(const llvm::Instruction& instruction) {
  SourcePlace place;
  const llvm::Function* function = instruction.getFunction();
  place.function = function->getName().str();
  if (const llvm::DILocation* location = own_location(instruction.getDebugLoc())) {
    place.file = location->getFilename().str();
    place.line = location->getLine();
    if (const llvm::DISubprogram* inside = location->getScope()->getSubprogram()) {
      place.function = inside->getName().str();
      if (place.line == 0) place.line = inside->getLine();  // what the compiler made
    }
  } else if (const llvm::DISubprogram* whole = function->getSubprogram()) {
    place.file = whole->getFilename().str();
    place.line = whole->getLine();
    place.function = whole->getName().str();
  }
  return place;
}

}  // namespace snarl::coseq
