// What a program for lanes is made of. Plain data, without LLVM.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace snarl::coseq {

struct Sources {
  std::vector<std::string> files;                               // .c, .cc, .bc, .ll
  std::vector<std::string> options;                             // of the compiler, for all files
  std::map<std::string, std::vector<std::string>> own_options;  // likewise, for one file
  std::string models;                                           // folder of the models' sources
  std::string scratch;                                          // folder for what is made on the way
  bool counts_cost = false;                                     // the code counts instructions
  bool tells = false;                                           // the program tells of its steps (LANE_TELLS)
  std::string twin;                                             // the native twin is written to; empty: it is not made
};

}  // namespace snarl::coseq
