#include "cli/lanes_replay.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "cli/replay_source.h"
#include "cli/run_options.h"
#include "cli/state_key.h"
#include "cli/terminal.h"
#include "cli/trust.h"
#include "cli/verbs.h"
#include "explore/campaign/store.h"
#include "os/fd.h"

namespace snarl::cli {
namespace {

// Of the verbs that take a recorded schedule, only this one makes sense of a lane's.
Status can_replay(const Arguments& arguments) {
  if (arguments.verb() != kReplay)
    return Error{"this finding is one of lanes, which are only replayed", "snarl replay shows it again", 2};
  for (const char* option : {"gdb", "print", "times"})
    if (arguments.given(option) != nullptr)
      return Error{std::string("this finding is one of lanes, which have no --") + option,
                   "snarl lanes --native-twin FILE makes a program that has", 2};
  return Done{};
}

// What the program read is part of why it failed.
void read_again(const ReplaySource& source) {
  const std::string path = std::filesystem::path(source.path).parent_path() / explore::kStoredInput;
  if (const os::Fd input(open(path.c_str(), O_RDONLY | O_CLOEXEC)); input) dup2(input.get(), STDIN_FILENO);
}

}  // namespace

std::optional<int> replay_of_lanes(const Arguments& arguments) {
  if (arguments.operands.size() > 1) return std::nullopt;
  const std::string what = arguments.operands.empty() ? "" : arguments.operands[0];
  Expected<ReplaySource> source = find_schedule(what, plain_path(arguments.get("output")));
  if (!source || source->schedule.policy != kOfLanes) return std::nullopt;
  if (Status can = can_replay(arguments); !can) return complain(can.error());
  Expected<Evidence> evidence = examine(*source, key_path());
  if (!evidence) return complain(evidence.error());
  if (!evidence->folder && !arguments.has("trust")) return complain(refusal(*source, *evidence));
  read_again(*source);
  std::error_code error;
  if (evidence->folder && !arguments.has("trust")) std::filesystem::current_path(*evidence->folder, error);
  if (error) return complain({"can't enter " + *evidence->folder + ", where it was found", "--trust runs it here", 2});
  Words words(source->schedule.argv.begin() + 2, source->schedule.argv.end());
  for (const char* option : {"json", "color"})
    if (arguments.given(option) != nullptr)
      words.insert(words.begin(),
                   std::string("--") + option + (option == std::string("json") ? "" : "=" + arguments.get(option)));
  return lanes_verb(words);
}

}  // namespace snarl::cli
