// What compiled-in hooks (src/instrument) call, by way of the block that they look at.
#pragma once

namespace snarl::runtime::compiled_in {

// Some file that is loaded now has hooks that asked for the block before this process was controlled (library mode).
bool have_asked();

// Those get it, before the first run.
void answer();

// The block leads here. Once in a process, before the first run.
void connect();

}  // namespace snarl::runtime::compiled_in
