#include "cli/launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/hash.h"
#include "cli/terminal.h"
#include "os/streams.h"

namespace snarl::cli {
namespace {

// GoogleTest, Google Benchmark, Catch2 and doctest, Boost.Test, Qt Test, and what everybody answers.
constexpr const char* kListing[] = {
    "--gtest_list_tests", "--benchmark_list_tests", "--list-tests", "--list-test-names-only",
    "--list-test-cases",  "--list_content",         "-functions",   "--help",
    "--version"};

constexpr double kSeconds = 5;  // a suite has many tests

// The program's name is for people, the hash keeps tests of one program apart.
std::string output_of(const std::string& folder, const std::vector<std::string>& command) {
  uint64_t hash = 0;
  for (const std::string& word : command) hash = combine(hash, hash_text(word));
  const std::string name = command.empty() ? "" : std::filesystem::path(command[0]).filename().string();
  return fmt::format("{}-{}-{:06x}", folder, name, hash & 0xffffff);
}

}  // namespace

bool only_lists(const std::vector<std::string>& command) {
  return std::any_of(command.begin() + !command.empty(), command.end(), [](const std::string& word) {
    const std::string flag = word.substr(0, word.find('='));
    return !word.ends_with("=0") && std::ranges::any_of(kListing, [&](const char* known) { return flag == known; });
  });
}

int become(const explore::Target& target) {
  std::vector<char*> argv;
  for (const std::string& word : target.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  os::give_back_sigpipe();
  execv(target.path.c_str(), argv.data());
  return complain({fmt::format("can't start {}: {}", target.path, std::strerror(errno)), {}, 126});
}

void set_launcher_defaults(const Arguments& arguments, RunOptions& options) {
  if (!arguments.has("for") && !arguments.has("schedules")) options.seconds = kSeconds;
  if (!arguments.has("jobs")) options.cpus.resize(1);
  const Given* output = arguments.given("output");
  if (output == nullptr || output->source != Source::kFlag)
    options.output = output_of(options.output, arguments.command);
}

}  // namespace snarl::cli
