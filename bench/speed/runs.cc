#include "runs.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "detect/metric_pairs.h"
#include "explore/target/policy_spec.h"
#include "schedule/epochs.h"

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kProfiles = 10;

fs::path here() { return fs::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace

SubjectRuns::SubjectRuns(const std::string& program)
    : guard_(std::move(*os::Guard::start())), input_(std::move(*os::StandardInput::prepare(-1, [] {}))) {
  setup_.target = *explore::find_target({(here() / "../programs/speed" / program).lexically_normal()}, {});
  setup_.runtime = (here() / "../lib/libsnarl_rt.so").lexically_normal();
  setup_.input = &input_;
  setup_.settings.points = kDefaultPoints | kMemoryPoints;
  for (char** entry = environ; *entry != nullptr; ++entry) setup_.environment.emplace_back(*entry);
  auto worker = explore::Worker::create(setup_, guard_, explore::Mode::kFork, -1);
  if (worker) worker_ = std::move(*worker);
  take_profile();
}

std::optional<record::RunRecord> SubjectRuns::run(explore::RunOrder order) {
  if (worker_ == nullptr) return {};
  order.settings.all_memory = true;
  order.keep_all = true;
  auto record = explore::run_to_end(*worker_, std::move(order), -1);
  if (!record || record->outcome != OutcomeKind::kOk) return {};
  return std::move(*record);
}

void SubjectRuns::take_profile() {
  for (uint64_t i = 0; i < kProfiles; ++i) {
    explore::RunOrder order(setup_.settings);
    order.key = {.seed = kProfilingSalt, .index = i, .policy = *explore::parse_policy("random")};
    order.settings.count = true;
    const auto record = run(std::move(order));
    if (!record) continue;
    profile_.threads = std::max(profile_.threads, record->created);
    profile_.steps = std::max(profile_.steps, record->steps);
    counts_->merge(record->counts);
  }
}

StatementPairs SubjectRuns::pairs_of(const std::string& policy, uint64_t seed, uint64_t index) {
  explore::RunOrder order(setup_.settings);
  order.key = {seed, index, index, profile_, *explore::parse_policy(policy)};
  order.counts = counts_;
  order.settings.trace = true;
  const auto record = run(std::move(order));
  if (record && record->events_lost == 0) return statements(*record);
  ++failed_;
  return {};
}

StatementPairs SubjectRuns::statements(const record::RunRecord& record) {
  detect::MetricPairs metric;
  for (const Event& event : record.events) metric.add(event);
  failed_ += metric.is_cut();
  const std::string& path = setup_.target.path;
  const auto main = std::ranges::find_if(record.modules, [&](const wire::Module& m) { return path == m.path; });
  if (main == record.modules.end()) return {};
  const auto name_of = [&](uint64_t pc) {
    const auto [known, added] = names_.try_emplace(pc - main->bias);
    if (!added || pc < main->begin || pc >= main->end) return known->second;
    const symbolize::Place place = symbolizer_.place({path}, pc - main->bias, symbolize::PcKind::kReturnAddress);
    const symbolize::Frame* frame = symbolize::first_user_frame({&place, 1});
    if (frame != nullptr && frame->line != 0)
      known->second = fs::path(frame->file).filename().string() + ":" + std::to_string(frame->line);
    return known->second;
  };
  StatementPairs pairs;
  for (const auto& [a, b] : metric.pairs())
    if (const std::string x = name_of(a), y = name_of(b); !x.empty() && !y.empty()) pairs.insert(std::minmax(x, y));
  return pairs;
}

}  // namespace snarl::bench
