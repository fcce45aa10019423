#include "contest.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "../measure.h"
#include "os/cores.h"

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kAtATime = 2;
constexpr const char* kFolder = "../programs/hunt";  // from where we are

// A failure is confirmed. To make it shorter and to look for its cause would take longer than to find it.
constexpr const char* kOptions = "-j 1 --config '' --points memory --races off --no-minimize --no-explain";

Attempt attempt(const std::string& program, const Contender& contender, int seed) {
  const auto summary = explore(fmt::format("{} --seed {} -n {} -t {}s{}", kOptions, seed, contender.schedules,
                                           contender.seconds, contender.arguments),
                               fmt::format("{}/{}", kFolder, program));
  if (summary.is_discarded()) return {.out_of_time = true, .seconds = contender.seconds};
  Attempt made{.schedules = summary["schedules"].get<double>(), .seconds = summary["cpu_seconds"].get<double>()};
  for (const auto& finding : summary["findings"]) {
    made.found = true;
    made.schedules = std::min(made.schedules, finding["index"].get<double>() + 1);
  }
  made.out_of_time = !made.found && !summary["exhausted"].get<bool>() && made.schedules < contender.schedules;
  return made;
}

Score cell(const std::string& program, const Contender& contender) {
  std::vector<Attempt> attempts;
  double seconds = 0;
  for (int seed = 1; seed <= contender.seeds && seconds < contender.cell_seconds; ++seed) {
    attempts.push_back(attempt(program, contender, seed));
    seconds += attempts.back().seconds;
  }
  return score_of(attempts);
}

// snarl takes the first core that it may use: each of our threads, and what it starts, has one of its own.
void pin_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  if (core >= 0) CPU_SET(static_cast<size_t>(core), &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

std::vector<std::string> hunt_programs() {
  std::vector<std::string> names;
  std::ifstream list(fs::read_symlink("/proc/self/exe").parent_path() / kFolder / "list.txt");
  for (std::string name; std::getline(list, name);) names.push_back(name);
  return names;
}

std::vector<Scores> compete(const std::vector<std::string>& programs, const std::vector<Contender>& contenders,
                            const std::function<void(const std::string&, const Scores&)>& done) {
  std::vector<Scores> all(programs.size(), Scores(contenders.size()));
  std::vector<size_t> missing(programs.size(), contenders.size());
  std::atomic<size_t> next{0};
  std::mutex mutex;
  const auto work = [&](int core) {
    pin_to(core);
    for (size_t i; (i = next++) < programs.size() * contenders.size();) {
      const size_t program = i / contenders.size(), contender = i % contenders.size();
      const Score score = cell(programs[program], contenders[contender]);
      std::lock_guard lock(mutex);
      all[program][contender] = score;
      if (--missing[program] == 0) done(programs[program], all[program]);
    }
  };
  const std::vector<int> cores = os::allowed_cores();
  std::vector<std::thread> workers;
  for (size_t i = 0; i < std::min(kAtATime, cores.size()); ++i) workers.emplace_back(work, cores[i]);
  for (std::thread& worker : workers) worker.join();
  return all;
}

}  // namespace snarl::bench
