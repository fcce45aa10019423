#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/print_config.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "os/streams.h"

namespace snarl::cli {

std::string lanes_help() {
  return R"(usage: snarl lanes [OPTIONS] -- FILES [COMPILER-OPTIONS]

Compiles a program in C, or in C++ without exceptions, to a state machine, with points at all accesses to
memory that threads share, and explores its schedules: one by one on one core, or thousands at once on a
device (--device). FILES are sources, or bitcode of LLVM 14 (.bc, .ll). What lanes can't take is refused with
its place: use snarl run for that.
Needs clang-14 and LLVM 14.
)" + options_help(kLanes) +
         R"(
Examples:
  snarl lanes -- bank.c                          a minute, or until the first failure
  snarl lanes -p pct:depth=2 -n 1000000 -- bank.c -Iinclude -DSMALL
  snarl lanes --preemptions 2 -- queue.c         every schedule with at most two preemptions
  snarl lanes -p uact:depth=4 --native-twin twin -- pool.cc   with real threads, too, once it fails
  snarl lanes --device opencl -p uact:depth=3 -- pool.cc
  snarl lanes --seed 5 --replay 1234 -- bank.c   the schedule 5:1234 again

Exit code: 0 nothing found, 1 a finding, 2 wrong usage or a program that does not compile, 4 a program that lanes can't
take, 125 snarl failed, or LLVM is missing.
)";
}

namespace {

int become(const std::string& program, const Words& words) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  os::give_back_sigpipe();
  execv(argv[0], argv.data());
  return complain({fmt::format("can't start {}: {}", program, std::strerror(errno)), "install snarl again", 125});
}

// Without it the loader would say so in its own words, and with its own exit code.
bool has_llvm() {
  for (const char* folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib/llvm-14/lib", "/usr/lib", "/usr/local/lib", "/lib64"})
    if (std::error_code error; std::filesystem::exists(std::string(folder) + "/libLLVM-14.so.1", error)) return true;
  return false;
}

}  // namespace

int lanes_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kLanes, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, lanes_help)) return *code;
  const std::string program = std::filesystem::path(own_path()).parent_path() / "snarl-lanes";
  if (access(program.c_str(), X_OK) != 0)
    return complain({"snarl was built without LLVM 14, which lanes need",
                     "install the packages llvm-14-dev and clang-14, and build snarl again", 125});
  if (!has_llvm())
    return complain({"lanes need LLVM 14, which is not installed", "install the packages libllvm14 and clang-14", 125});
  return become(program, words);
}

}  // namespace snarl::cli
