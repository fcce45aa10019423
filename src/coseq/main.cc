// snarl-lanes: what `snarl lanes` becomes. A program of its own, so that snarl needs no LLVM.
#include <string>
#include <vector>

#include "coseq/session.h"

int main(int argc, char** argv) { return snarl::coseq::lanes_main(std::vector<std::string>(argv + 1, argv + argc)); }
