// How a module's hooks find the runtime, if there is one.
#include <dlfcn.h>

#include "instrument/hooks.h"
#include "instrument/specialise.h"

// A note of this name tells who looks at the file that it has hooks (src/explore/target/elf_image), also once it is
// stripped.
asm(R"(
  .pushsection .note.snarl, "a", @note
  .balign 4
  .long 6, 0, 1
  .asciz "snarl"
  .balign 4
  .popsection
)");

namespace snarl::instrument {

Block* block = nullptr;

namespace {

// Not a weak reference: in a program without position independence the linker would bind it to null for good.
__attribute__((constructor)) SNARL_OWN void attach() {
  if (block != nullptr) return;
  const auto ask = reinterpret_cast<Attach>(dlsym(RTLD_DEFAULT, kAttach));
  if (ask != nullptr) block = ask(kBlockVersion, &block);
  if (block != nullptr) specialise(block->accesses);
}

}  // namespace

// Called by the constructor of every instrumented object, and by gcc's libtsan_preinit before any of them. That is too
// early for dlsym, and nothing can be a point before main anyway.
SNARL_TSAN void __tsan_init() {}

}  // namespace snarl::instrument
