// What sanitizers report is a failure of the program.
//
// ASan's report is written while its thread has the turn and gives it to nobody: it holds locks of ASan's that others
// would spin for. Then the run ends, with what ASan calls the error. UBSan's errors end the run if UBSan ends the
// process.
#pragma once

namespace snarl::runtime {

// Once, before the first run. Unlike dlsym, which allocates the text of an error, it leaves the heap as it is.
void look_for_sanitizers();

}  // namespace snarl::runtime
