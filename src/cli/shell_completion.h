// Completions for bash and zsh from the verbs and the option table. Pure.
#pragma once

#include <string>

namespace snarl::cli {

std::string bash_completion();
std::string zsh_completion();

}  // namespace snarl::cli
