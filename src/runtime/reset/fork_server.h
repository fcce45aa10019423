// The fork server: the program stands at main, and every run is a copy of it.
#pragma once

namespace snarl::runtime {

// Serves the explorer's requests on the control socket, forever; returns in each copy,
// which is then to run the program. Ends the process when the explorer is gone.
void serve(int control);

}  // namespace snarl::runtime
