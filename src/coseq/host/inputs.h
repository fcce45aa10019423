// What a program reads from outside, the same in each schedule: files, its standard input and its environment.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace snarl::coseq {

struct Inputs {
  std::vector<std::string> files;        // paths, as the program names them
  std::string standard;                  // bytes of the standard input
  std::vector<std::string> environment;  // NAME=VALUE
};

// Writes the directory and all contents to the segment of a lane's memory, which can only be read from then on.
Status place_inputs(const Inputs& inputs, uint8_t* memory);

}  // namespace snarl::coseq
