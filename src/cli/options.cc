#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace snarl::cli {
namespace {

constexpr uint32_t kRecorded = kReplay | kExplain | kMinimize | kPredict;  // verbs that run a recorded failure again

constexpr OptionInfo kOptions[] = {
    {"schedules", 'n', "N", nullptr, "stop after N schedules (then -t has no default)", kRun | kLanes},
    {"schedules", 'n', "N", "2000", "stop after N schedules", kClassify},
    {"for", 't', "TIME", "60s", "stop after this time: 60s, 500ms, 2m, or a number of seconds", kRun | kDemo | kLanes},
    {"for", 't', "TIME", nullptr, "stop after this time instead", kClassify},
    {"after-finding", '\0', "TIME", "20s", "longest time for what follows a failure, such as its confirmation; 0: none",
     kRun | kClassify},
    {"after-finding", '\0', "TIME", "60s", "longest time for all runs together", kExplain | kMinimize | kPredict},
    {"timeout", '\0', "TIME", "10s", "longest time of one schedule, without what it waits for a core",
     kRun | kClassify | kRecorded},
    {"timeout", '\0', "TIME", "4s", "longest time of each of the two runs", kDoctor},
    {"steps", '\0', "N", "1000000", "most steps of one schedule; 0: no limit", kRun | kClassify | kRecorded},
    {"steps", '\0', "N", "1000000", "most steps of one schedule", kLanes},
    {"jobs", 'j', "N", "number of cores", "schedules at the same time", kRun | kClassify | kLanes},
    {"seed", '\0', "SEED", "random", "decimal or 0x...; printed by every run", kRun | kClassify | kDemo | kLanes},
    {"policy", 'p', "POLICY", "hold, surw, pct:depth=3, pos",
     "how the next thread is chosen; several -p share the schedules in turn, the default ones\n"
     "in shares of their own.\n"
     "See snarl policies.",
     kRun, true},
    {"policy", 'p', "POLICY", "noise-separating:make=switch",
     "noise-separating with family=random; with group=variable, shared variables are classified", kClassify},
    {"policy", 'p', "POLICY", "pct:depth=3, pct:depth=2, random",
     "strategies of lanes (pct, ppct, uact, random), or any other serial policy; several -p share\n"
     "the schedules in turn",
     kLanes, true},
    {"preemptions", '\0', "N", nullptr,
     "no policy: every schedule with at most N preemptions, by a walk over the states", kLanes},
    {"shared-prefix", '\0', "WHEN", "auto", "run what lanes of a group have in common once: yes, no, or what is faster",
     kLanes, false, "auto|yes|no"},
    {"device", '\0', "WHERE", "host",
     "run thousands of lanes at once: opencl, cuda, or shim (the device's code on the host,\n"
     "under the checks of its compiler: a test)",
     kLanes, false, "host|opencl|cuda|shim"},
    {"devices", '\0', nullptr, nullptr, "list what lanes can run on, and end", kLanes},
    {"device-lanes", '\0', "N", "as many as fit", "how many lanes at once", kLanes},
    {"device-memory", '\0', "MB", "what the device gives", "for all lanes at once", kLanes},
    {"each-step", '\0', "WHEN", "auto",
     "all lanes come back to the scheduler after each step, where those that parted meet\n"
     "again: yes, no, or auto, which means on CUDA",
     kLanes, false, "auto|yes|no"},
    {"simt", '\0', "WARPS", nullptr,
     "no exploring: what that many warps of act, uact and pct would cost on a GPU at depth\n"
     "1 to 6, by a model",
     kLanes},
    {"compare-host", '\0', nullptr, nullptr, "run each lane of the device on the host too, and say where they differ",
     kLanes},
    {"args", '\0', "WORDS", nullptr, "arguments of the program, separated by blanks", kLanes},
    {"database", '\0', "FILE", nullptr,
     "compile_commands.json: the compiler's options of each file, and the files if none are named", kLanes},
    {"file", '\0', "FILE", nullptr,
     "a file that the program reads. Those that --args names are read without it, and so is the\n"
     "standard input",
     kLanes, true},
    {"env", '\0', "NAME=VALUE", nullptr, "a variable of the environment that the program sees", kLanes, true},
    {"replay", '\0', "INDEX", nullptr, "only the schedule of this index, with its report", kLanes, false, nullptr,
     false},
    {"emit", '\0', "FOLDER", nullptr, "keep the emitted C there", kLanes},
    {"native-twin", '\0', "FILE", nullptr, "make the program as threads of the machine, and replay findings in it",
     kLanes},
    {"fairness", '\0', "F|off", "min(0.001, 0.05/k)",
     "the chance that a step is not the policy's choice, so that nobody starves; off: never", kRun | kClassify},
    {"output", 'o', "FOLDER", "snarl-out", "folder for the results", kRun | kLanes},
    {"output", 'o', "FOLDER", "snarl-out", "folder of the results, where numbers are looked up", kRecorded},
    {"output", 'o', "FOLDER", "a temporary folder", "folder for the results", kDemo},
    {"corpus", '\0', "FOLDER", nullptr,
     "first run the schedules (*.snarl) in this folder that failed once;\nif one fails again, that is the finding",
     kRun},
    {"sarif", '\0', "FILE", nullptr, "the findings as SARIF 2.1.0 too, for code scanning; - is stdout", kRun | kLanes},
    {"junit", '\0', "FILE", nullptr, "likewise as JUnit XML", kRun | kLanes},
    {"markdown", '\0', "FILE", nullptr, "likewise as Markdown, such as for a comment on a pull request", kRun | kLanes},
    {"source-root", '\0', "FOLDER", "the repository", "paths in SARIF, Markdown and annotations are relative to it",
     kRun | kLanes},
    {"annotations", '\0', "WHEN", "auto",
     "mark findings at their source lines by commands of GitHub Actions: auto (if GITHUB_ACTIONS is\n"
     "true), always or never",
     kRun | kLanes, false, "auto|always|never"},
    {"keep-going", '\0', nullptr, nullptr, "go on after the first finding; ends with a table of the policies",
     kRun | kLanes},
    {"once", '\0', nullptr, nullptr, "one schedule with the program's own input, output and exit code", kRun},
    {"follow", '\0', nullptr, nullptr,
     "PROGRAM is a script, or starts others: the first of these that has two threads is\n"
     "explored, as it is started there",
     kRun},
    {"launcher", '\0', nullptr, nullptr,
     "in front of a test's command line: lists and single-threaded tests are left as they are", kRun},
    {"bisect", '\0', nullptr, nullptr, "exit codes for git bisect run: 0 nothing found, 1 found, 125 everything else",
     kRun | kLanes},
    {"reset", '\0', "MODE", "auto",
     "what makes the program new for each schedule: fork (a copy at main), exec, rewind (one\n"
     "process is put back in place, and copies are made where that can't be done), or auto:\n"
     "fork for the first schedules, then rewind",
     kRun | kClassify, false, "auto|fork|exec|rewind"},
    {"rewind-check", '\0', "N", "1000",
     "reset rewind: of N schedules that passed, one is made again by a copy that was never put\n"
     "back, and compared",
     kRun | kClassify},
    {"switching", '\0', "LAYER", "auto",
     "how threads take turns: fibers (all on one OS thread), gates (each a real one), or auto:\n"
     "fibers where the program allows it. Schedules are the same on both.",
     kRun | kClassify | kRecorded, false, "auto|fibers|gates"},
    {"time", '\0', "MODE", "virtual",
     "virtual: clocks and deadlines are the schedule's, and a sleep ends when nobody else can run.\n"
     "free: the same, but a sleep ends whenever the policy likes.\n"
     "real: the machine's clocks; a thread that sleeps or waits with a deadline keeps its turn.",
     kRun | kClassify, false, "virtual|free|real"},
    {"time", '\0', "MODE", "as recorded", "virtual, free or real: see snarl run --help", kRecorded, false,
     "virtual|free|real"},
    {"blocked-after", '\0', "N", "10", "a thread asleep in an unknown call at N looks, 1 ms apart, counts as blocked",
     kRun | kClassify | kRecorded},
    {"slice", '\0', "TIME", "2s",
     "CPU time without a schedule point after which a thread makes way for others;\n"
     "at once where that happened before, and in a loop that is seen to change nothing",
     kRun | kClassify | kRecorded},
    {"random", '\0', "MODE", "seed",
     "seed: random_device, getrandom, /dev/urandom and their like draw from seed and index.\n"
     "real: from the system.",
     kRun | kClassify, false, "seed|real"},
    {"random", '\0', "MODE", "as recorded", "seed or real: see snarl run --help", kRecorded, false, "seed|real"},
    {"points", '\0', "LEVELS", "sync,atomic,user",
     "where threads may be switched: sync (calls), atomic (atomic operations), memory (accesses to\n"
     "what several threads use), memory:all, function (entries), user (snarl_point).\n"
     "memory and function need a program built with snarl cc or snarl c++, which has memory points\n"
     "by default.",
     kRun | kClassify},
    {"points", '\0', "LEVELS", "as recorded", "see snarl run --help", kRecorded},
    {"point-at", '\0', "FUNCTION", nullptr,
     "threads may be switched at the entry of this function too, in any program:\n"
     "queue::push, 'app::*'. May be given several times.",
     kRun | kClassify, true},
    {"locks", '\0', "FILE", nullptr,
     "locks of the program's own, which then block exactly: lines such as lock: my_lock(1), unlock:\n"
     "my_unlock(1), where (1) says which argument is the lock",
     kRun | kClassify},
    {"cache", '\0', "FOLDER", "$XDG_CACHE_HOME/snarl", "where scans of program files are kept; off: nowhere",
     kRun | kClassify | kRecorded},
    {"orders", '\0', "WHEN", "on", "on: count the distinct partial orders, and estimate how many are left; off: don't",
     kRun | kClassify, false, "on|off"},
    {"no-minimize", '\0', nullptr, nullptr, "show the schedule that was found, and not the shortest that fails so",
     kRun},
    {"no-explain", '\0', nullptr, nullptr,
     "don't look for the cause of a finding: the orders of events that make it fail", kRun},
    {"no-misuse", '\0', nullptr, nullptr, "don't report misuse of locks, condition variables, threads, ...",
     kRun | kClassify | kRecorded},
    {"races", '\0', "MODE", "report",
     "data races of a program that was built with snarl cc or snarl c++. report: each that is seen\n"
     "is a finding, and the exploration goes on; stop: it ends there; off: don't look for them.\n"
     "Without memory points: off, if it is not given",
     kRun | kClassify, false, "report|stop|off"},
    {"races", '\0', "MODE", "as recorded", "off: don't look for races, see snarl run --help", kRecorded, false,
     "report|stop|off"},
    {"predict", '\0', nullptr, nullptr,
     "look for races of other schedules in the traces of some (schedules 0, 1, 2, 4, 8, ...),\n"
     "and for a schedule that shows each: only then it is a finding. Needs memory points",
     kRun},
    {"races", '\0', "MODE", "off",
     "report or stop: a data race fails, and ends its schedule (slower); off: don't look for them", kLanes, false,
     "report|stop|off"},
    {"expect-output", '\0', "FILE", nullptr, "a run that writes anything else to its standard output fails",
     kRun | kClassify},
    {"expect-same-output", '\0', nullptr, nullptr,
     "a run fails that writes anything else to its standard output than without snarl", kRun | kClassify},
    {"expect-exit", '\0', "N", "0", "the exit code of a run that went well", kRun | kClassify},
    {"fail-on", '\0', "REGEX", nullptr,
     "a run fails that writes a line that matches (as grep -E). May be given several times.", kRun | kClassify, true},
    {"suppressions", '\0', "FILE", nullptr, "findings not to report: one per line, such as deadlock function=transfer",
     kRun},
    {"times", '\0', "N", "1", "replay so many times", kReplay},
    {"gdb", '\0', nullptr, nullptr,
     "in gdb, stopped at the first event of the cause, if that is known, or else at the failing\nstep, with commands "
     "for its threads (docs/gdb.md)",
     kReplay},
    {"gdb-file", 'x', "FILE", nullptr, "in gdb, a file of commands to run there. May be given several times.", kReplay,
     true},
    {"gdb-command", '\0', "CMD", nullptr, "likewise a command, after the files; -ex CMD is the same, as with gdb",
     kReplay, true},
    {"print", '\0', nullptr, nullptr, "every step and switch of the replay, with values, instead of the report",
     kReplay},
    {"until", '\0', "STEP", nullptr, "with --print: up to this step; with --gdb: stopped at it", kReplay},
    {"on-divergence", '\0', "WHAT", "fail",
     "if the program has changed: fail says where it differs; continue then goes on, each thread\n"
     "for as many steps as recorded; search runs schedules near the recorded one, until it fails\n"
     "again",
     kReplay, false, "fail|continue|search"},
    {"trust", '\0', nullptr, nullptr, "run the recorded command here, though you may not be the one who recorded it",
     kRecorded, false, nullptr, false},
    {"quiet", 'q', nullptr, nullptr, "only the result, without the report", kReplay},
    {"json", '\0', nullptr, nullptr, "JSON on stdout instead of text",
     kRun | kClassify | kRecorded | kPolicies | kDoctor | kLanes},
    {"color", '\0', "WHEN", "auto", "auto (a terminal, NO_COLOR not set, TERM not dumb), always or never",
     kRun | kClassify | kRecorded | kDemo | kLanes, false, "auto|always|never"},
    {"config", '\0', "FILE", "snarl.toml here or above", "file with options; \"\" for none", kEveryVerb, false, nullptr,
     false},
    {"print-config", '\0', nullptr, nullptr, "print each option, its value and where that comes from", kEveryVerb,
     false, nullptr, false},
    {"with", '\0', "COMPILER", nullptr, "the compiler to use; comes first: --with=clang++-14", kCompile, false, nullptr,
     false},
    {"help", 'h', nullptr, nullptr, "this text", kEveryVerb | kCompile, false, nullptr, false},
};

constexpr size_t kHelpColumn = 27;  // where the help of an option begins
constexpr const char* kNewHelpLine = "\n                           ";

std::string help_row(const OptionInfo& option) {
  std::string left = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  left += fmt::format("--{}", option.name);
  if (!option.is_switch()) left += fmt::format(" {}", option.metavar);
  std::string help = option.help;
  for (size_t at = 0; (at = help.find('\n', at)) != help.npos; at += kHelpColumn) help.replace(at, 1, kNewHelpLine);
  std::string row = fmt::format("  {:<24} {}", left, help);
  if (option.fallback == nullptr) return row + "\n";
  const std::string fallback = fmt::format("(default: {})", option.fallback);
  const size_t used = row.size() - (row.rfind('\n') == row.npos ? 0 : row.rfind('\n') + 1);
  return row + (used + 1 + fallback.size() > 110 ? kNewHelpLine : " ") + fallback + "\n";
}

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

std::vector<const OptionInfo*> options_of(Verb verb) {
  std::vector<const OptionInfo*> result;
  for (const OptionInfo& option : kOptions)
    if ((option.verbs & verb) != 0) result.push_back(&option);
  return result;
}

const OptionInfo* option_named(Verb verb, std::string_view name) {
  for (const OptionInfo* option : options_of(verb))
    if (name == option->name) return option;
  return nullptr;
}

const OptionInfo* option_lettered(Verb verb, char letter) {
  for (const OptionInfo* option : options_of(verb))
    if (letter == option->letter) return option;
  return nullptr;
}

std::string environment_name(const OptionInfo& option) {
  std::string name = std::string("SNARL_") + option.name;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return parts;
}

std::string options_help(Verb verb) {
  std::string text = kOptionsHeading;
  for (const OptionInfo* option : options_of(verb)) text += help_row(*option);
  return text + kOptionsEnd;
}

}  // namespace snarl::cli
