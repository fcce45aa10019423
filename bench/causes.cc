// How long the shortest schedule and the cause of a finding take.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

// A finding as it was found, in a folder that goes away with it.
class Found {
 public:
  explicit Found(const std::string& words)
      : folder_(fs::temp_directory_path() / fmt::format("snarl-bench-cause-{}", getpid())) {
    snarl(fmt::format("run --seed 1 -p random -n 200000 -j 1 --no-minimize --no-explain -o '{}'", folder_.string()),
          "bench_late_inversion", words);
    std::ifstream file(folder_ / "latest" / "report.json");
    report_ = nlohmann::json::parse(file, nullptr, false);
  }
  ~Found() { fs::remove_all(folder_); }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;

  bool is_there() const { return !report_.is_discarded(); }
  uint64_t steps() const { return report_["steps"].get<uint64_t>(); }
  uint64_t switches() const { return report_["switches"].get<uint64_t>(); }
  // `snarl VERB` of it.
  Output run(const char* verb) const { return tool(fmt::format("{} '{}' --json 2>/dev/null", verb, folder_.string())); }

 private:
  fs::path folder_;
  nlohmann::json report_;
};

void measure_minimising() {
  const char* what = "minimise a failing schedule";
  const Found found("80");
  if (!found.is_there() || found.steps() < 300) return failed(what);
  const Output output = found.run("minimize");
  const auto told = nlohmann::json::parse(output.text, nullptr, false);
  if (!output.good || told.is_discarded()) return failed(what);
  row(fmt::format("{} of {} steps: {} switches to {}", what, found.steps(), found.switches(),
                  told["switches"].get<uint64_t>()),
      fmt::format("{:.2f} s", output.seconds), "< 5 s", told["switches"].get<uint64_t>() > 3 ? 2 : output.seconds / 5);
}

void measure_explaining() {
  const char* what = "explain a bug of depth 2";
  const Found found("1");
  if (!found.is_there()) return failed(what);
  const Output output = found.run("explain");
  const auto told = nlohmann::json::parse(output.text, nullptr, false);
  if (!output.good || told.is_discarded() || told.value("depth", 0) != 2) return failed(what);
  row(fmt::format("{}, of a run of {} steps: {} schedules", what, found.steps(),
                  told["cause"]["tries"].get<uint64_t>()),
      fmt::format("{:.2f} s", output.seconds), "< 1 s", output.seconds);
}

}  // namespace

void measure_causes() {
  measure_minimising();
  measure_explaining();
}

}  // namespace snarl::bench
