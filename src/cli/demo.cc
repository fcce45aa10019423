#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/print_config.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace snarl::cli {

std::string demo_help() {
  return R"(usage: snarl demo [-o FOLDER]

Runs a small bank with two threads, which works when it is started by hand, until it fails;
shows the report; and replays the failure twenty times. Exit code 0 if all of that went as it should.
)" + options_help(kDemo);
}

namespace {

constexpr const char* kIntroduction =
    R"(snarl demo: a bank moves money between two accounts, in two threads, each account with its own lock.
Started by hand it works. snarl now runs it under one schedule after the other until it fails:

    snarl run -- {}

)";

Expected<std::string> output_folder(const Arguments& arguments) {
  if (arguments.has("output")) return arguments.get("output");
  std::error_code error;
  const std::string base = std::filesystem::temp_directory_path(error) / "snarl-demo-XXXXXX";
  std::string name = error ? "/tmp/snarl-demo-XXXXXX" : base;
  if (mkdtemp(name.data()) == nullptr) return Error{"can't make a temporary folder", "choose one with -o"};
  return name;
}

int demonstrate(const Arguments& arguments, const std::string& program, const std::string& output) {
  put(fmt::format(kIntroduction, program));
  Words run{"--config=", "--color", arguments.get("color"), "-o", output, "-t", arguments.get("for")};
  if (arguments.has("seed")) run.insert(run.end(), {"--seed", arguments.get("seed")});
  run.insert(run.end(), {"--", program});
  const int found = run_verb(run);
  if (found != 1) return complain({fmt::format("the demo's bug was not found (exit code {})", found), {}, 125});
  put("\nThe schedule is recorded, so the failure comes back at will, in a new process each time:\n\n"
      "    snarl replay --quiet --times 20 " +
      output + "\n\n");
  const int replayed = replay_verb({"--config=", "--quiet", "--times", "20", output});
  if (replayed != 1)
    return complain({fmt::format("the demo's failure did not replay (exit code {})", replayed), {}, 125});
  put(fmt::format("\nThe report is in {}/latest/report.txt\nNow your own program: snarl run -- ./prog\n", output));
  return 0;
}

}  // namespace

int demo_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kDemo, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, demo_help)) return *code;
  Expected<std::string> program = find_demo();
  if (!program) return complain(program.error());
  Expected<std::string> output = output_folder(*arguments);
  if (!output) return complain(output.error());
  return demonstrate(*arguments, *program, *output);
}

}  // namespace snarl::cli
