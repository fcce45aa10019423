// What a program file and its libraries tell before anything is run. Pure, on the bytes of the files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/target/elf_image.h"
#include "report/checkup.h"

namespace snarl::explore {

// `image` was made from `bytes`.
report::ProgramFacts inspect_program(const std::string& path, const ElfImage& image, std::string_view bytes);

// What it brings of threads and of system calls that nobody can intercept; empty: nothing.
std::vector<std::string> brought_by(const ElfImage& image);

}  // namespace snarl::explore
