// A compiler's command line, changed so that what it compiles is instrumented and what it links has our hooks. Pure.
#pragma once

#include <string>
#include <vector>

namespace snarl::cli {

struct CompileTools {
  std::string compiler;   // as it is called
  bool clang = false;     // else gcc
  std::string hooks;      // libsnarl_tsan.a
  std::string stand_ins;  // folder with files that gcc's driver takes for parts of its own TSan
};

// Does this command link something? (Else it compiles, preprocesses or asks.)
bool links(const std::vector<std::string>& words);

// The word that asks for a sanitizer which can't be together with our hooks, those being TSan's; empty: none.
std::string excluded_sanitizer(const std::vector<std::string>& words);

// `words`: what the user gave the compiler. The result begins with the compiler.
std::vector<std::string> compile_command(const std::vector<std::string>& words, const CompileTools& tools);

}  // namespace snarl::cli
