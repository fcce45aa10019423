#include "coseq/session_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "cli/terminal.h"
#include "cli/values.h"
#include "coseq/database.h"
#include "os/cores.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostInput = size_t{64} << 20;  // of the standard input

bool is_source(const std::string& word) {
  const std::string suffix = fs::path(word).extension();
  for (const char* known : {".c", ".bc", ".ll", ".cc", ".cpp", ".cxx", ".C"})
    if (suffix == known) return word[0] != '-';
  return false;
}

Expected<std::vector<std::string>> read_policies(const cli::Arguments& arguments) {
  std::vector<std::string> policies;
  for (const std::string& text : arguments.all("policy")) {
    Expected<Method> method = parse_method(text);
    if (!method) return method.error();
    policies.push_back(method->text);
  }
  return policies;
}

// INDEX, or INDEX:THREADS:STEPS:EPOCH as a report says it.
Expected<Again> read_again(const cli::Arguments& arguments) {
  const std::vector<std::string> parts = cli::split(arguments.get("replay"), ":");
  Again again;
  uint64_t* const to[] = {&again.index, &again.threads, &again.steps, &again.epoch};
  if (parts.size() != 1 && parts.size() != std::size(to))
    return Error{arguments.label("replay") + " needs an index, as reports show it", {}, 2};
  for (size_t i = 0; i < parts.size(); ++i) {
    Expected<uint64_t> number =
        cli::parse_count(arguments.label("replay"), parts[i], i == 1 || i == 2 ? 1 : 0, uint64_t{1} << 50);
    if (!number) return number.error();
    *to[i] = *number;
  }
  return again;
}

// Files that the arguments name, and those that are said to be read; the standard input as it is now.
Expected<Inputs> read_inputs(const cli::Arguments& arguments, const std::vector<std::string>& words) {
  Inputs inputs;
  inputs.files = arguments.all("file");
  std::error_code error;
  for (size_t i = 1; i < words.size(); ++i)
    if (fs::is_regular_file(words[i], error)) inputs.files.push_back(words[i]);
  for (const std::string& file : inputs.files)
    if (access(file.c_str(), R_OK) != 0) return Error{file + " can't be read", "the program is to read it", 2};
  inputs.environment = arguments.all("env");
  Expected<os::StandardInput> input = cli::prepare_input();
  if (!input) return input.error();
  Expected<std::string> text = input->text(kMostInput);
  if (!text) return text.error();
  inputs.standard = std::move(*text);
  return inputs;
}

Status read_numbers(const cli::Arguments& arguments, Options& options) {
  Expected<uint64_t> budget = cli::parse_count(arguments.label("steps"), arguments.get("steps"), 1, 1'000'000'000);
  if (!budget) return budget.error();
  options.wanted.budget = *budget;
  if (arguments.has("schedules")) {
    Expected<uint64_t> count =
        cli::parse_count(arguments.label("schedules"), arguments.get("schedules"), 1, uint64_t{1} << 50);
    if (!count) return count.error();
    options.wanted.schedules = *count;
    options.wanted.seconds = 1e9;
  }
  if (!arguments.has("schedules") || arguments.given("for") != nullptr) {
    Expected<double> seconds = cli::parse_duration(arguments.label("for"), arguments.get("for"));
    if (!seconds) return seconds.error();
    options.wanted.seconds = *seconds;
  }
  options.wanted.seed = cli::random_seed();
  if (arguments.given("seed") != nullptr) {
    Expected<uint64_t> seed = cli::parse_seed(arguments.label("seed"), arguments.get("seed"));
    if (!seed) return seed.error();
    options.wanted.seed = *seed;
  }
  if (arguments.has("preemptions")) {
    Expected<uint64_t> most =
        cli::parse_count(arguments.label("preemptions"), arguments.get("preemptions"), 0, 1'000'000);
    if (!most) return most.error();
    options.preemptions = static_cast<uint32_t>(*most);
  }
  if (arguments.has("simt")) {
    Expected<uint64_t> warps = cli::parse_count(arguments.label("simt"), arguments.get("simt"), 1, 100'000);
    if (!warps) return warps.error();
    options.simt = static_cast<uint32_t>(*warps);
    options.sources.counts_cost = true;
  }
  if (arguments.has("replay")) {
    Expected<Again> again = read_again(arguments);
    if (!again) return again.error();
    options.replay = *again;
  }
  return Done{};
}

}  // namespace

Expected<Options> read_options(const cli::Arguments& arguments) {
  Options options;
  std::vector<std::string> words = arguments.operands;
  words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  for (const std::string& word : words)
    (is_source(word) ? options.sources.files : options.sources.options).push_back(word);
  if (const std::string database = arguments.get("database"); !database.empty())
    if (Status read = read_database(database, options.sources); !read) return read.error();
  if (options.sources.files.empty())
    return Error{"there is no source file", "snarl lanes -- FILE.c: the compiler's options may stand beside it", 2};
  for (const std::string& file : options.sources.files)
    if (access(file.c_str(), R_OK) != 0) return Error{file + " can't be read", "is its name right?", 2};
  Expected<std::vector<std::string>> policies = read_policies(arguments);
  if (!policies) return policies.error();
  options.wanted.policies = *policies;
  if (Status read = read_numbers(arguments, options); !read) return read.error();
  options.wanted.keep_going = arguments.has("keep-going");
  options.wanted.workers = static_cast<int>(os::allowed_cores().size());
  if (arguments.given("jobs") != nullptr) {
    Expected<uint64_t> jobs = cli::parse_count(arguments.label("jobs"), arguments.get("jobs"), 1, 256);
    if (!jobs) return jobs.error();
    options.wanted.workers = static_cast<int>(*jobs);
  }
  if (options.wanted.policies.size() > Tally::kMostParts)
    return Error{fmt::format("more than {} policies", Tally::kMostParts), {}, 2};
  Expected<size_t> share = cli::parse_choice("--shared-prefix", arguments.get("shared-prefix"), "auto|yes|no");
  if (!share) return share.error();
  options.wanted.share = static_cast<SharePrefix>(*share);
  options.arguments = {fs::path(options.sources.files[0]).stem()};
  std::istringstream given(arguments.get("args"));
  for (std::string word; given >> word;) options.arguments.push_back(word);
  if (Status read = read_device(arguments, options.wanted.policies, options.device); !read) return read.error();
  if (options.device.kind != DeviceKind::kNone)
    for (const std::string& policy : options.wanted.policies)
      if (parse_method(policy)->is_policy())
        return Error{"--device: -p " + policy + " is asked at each step, which only the host does",
                     "devices run pct, act and uact", 2};
  Expected<size_t> races = cli::parse_choice(arguments.label("races"), arguments.get("races"), "report|stop|off");
  if (!races) return races.error();
  options.sources.tells = *races != 2;
  if (options.sources.tells && options.device.kind != DeviceKind::kNone)
    return Error{"--races and --device exclude each other", "only the host looks for races", 2};
  if (options.sources.tells && options.preemptions)
    return Error{"--races and --preemptions exclude each other", "races are looked for by -p", 2};
  if (options.sources.tells) options.wanted.share = SharePrefix::kNo;  // a saved lane has no clocks
  options.emit = arguments.get("emit");
  options.sources.twin = arguments.get("native-twin");
  for (const char* name : {"file", "env"})
    for (const std::string& value : arguments.all(name))
      options.repeated.insert(options.repeated.end(), {std::string("--") + name, value});
  for (const char* name : {"args", "steps", "database", "races"})
    if (arguments.given(name) != nullptr)
      options.repeated.insert(options.repeated.end(), {std::string("--") + name, arguments.get(name)});
  Expected<Inputs> inputs = read_inputs(arguments, options.arguments);
  if (!inputs) return inputs.error();
  options.inputs = std::move(*inputs);
  if (Status read = cli::read_outputs(arguments, options.outputs); !read) return read.error();
  return options;
}

}  // namespace snarl::coseq
