// Learns of files that the program loads with dlopen, before their constructors run.
#pragma once

namespace snarl::runtime::patch {

// The dynamic loader calls an empty function for debuggers when its list of files has changed (r_brk of <link.h>);
// from now on that function calls `then`. Nothing can stand in front of dlopen itself, which looks at where it returns
// to. False: the loader's function does not look as it should, and nothing is done.
bool when_files_are_loaded(void (*then)());

}  // namespace snarl::runtime::patch
