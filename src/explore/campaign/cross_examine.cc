#include "explore/campaign/cross_examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "explain/sanitizer_report.h"
#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "explore/execute/replay.h"
#include "os/file_bytes.h"
#include "scan/code_image.h"
#include "scan/instruction.h"
#include "symbolize/paths.h"

namespace snarl::explore {
namespace {

constexpr double kLeastSeconds = 60;   // for a crash: stepping takes up to a thousand times as long
constexpr size_t kMostFilesAlone = 8;  // that are stepped by themselves to find the one to blame
constexpr uint64_t kNoSlice = uint64_t{1} << 62;

using Verdict = Examination::Verdict;

std::string name_of_file(const wire::Module& module) {
  return std::string(symbolize::base_name(std::string_view(module.path)));  // the wire reader has ended it
}

const wire::Module* module_of(const record::RunRecord& record, uint64_t address) {
  const auto at =
      std::ranges::find_if(record.modules, [&](const auto& m) { return m.begin <= address && address < m.end; });
  return at == record.modules.end() ? nullptr : &*at;
}

class Examiner {
 public:
  Examiner(const record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu, const Stop& stop)
      : failed_(failed),
        setup_(setup),
        schedule_(std::make_shared<const Schedule>(schedule_to_follow(failed, setup))),
        signature_(explain::signature_of(failed)),
        executors_(executors),
        cpu_(cpu),
        stop_(stop) {}

  Examination examine();

 private:
  enum class Seen { kSame, kAbsent, kLate, kUnclear };
  struct Look {
    Seen seen = Seen::kUnclear;
    std::string why = {};  // kLate and kUnclear
    record::RunRecord record = {};
  };

  bool is_crash() const { return failed_.outcome == OutcomeKind::kSignal; }
  // With these files stepped, and the others patched.
  Look look(const std::vector<std::string>& stepped) const;
  Seen judge(record::RunRecord& record, std::string& why) const;
  std::vector<std::string> straddled(const record::RunRecord& record, std::string& how) const;
  std::vector<std::string> suspects() const;
  Examination absent() const;

  const record::RunRecord& failed_;
  const Setup& setup_;
  const std::shared_ptr<const Schedule> schedule_;
  const std::string signature_;
  Executors& executors_;
  const int cpu_;
  const Stop stop_;
};

Examiner::Look Examiner::look(const std::vector<std::string>& stepped) const {
  Setup setup = setup_;
  setup.stepped = stepped;
  if (!stepped.empty()) {
    if (is_crash()) setup.timeout = std::max(setup.timeout * 10, kLeastSeconds);
    setup.settings.patience.slice = kNoSlice;  // a thread that is stepped is slow, and not at fault
  }
  Expected<record::RunRecord> record = replay(schedule_, setup, executors_, cpu_, stop_);
  if (!record) return {.why = record.error().message};
  Look result{.record = std::move(*record)};
  result.seen = judge(result.record, result.why);
  return result;
}

Examiner::Seen Examiner::judge(record::RunRecord& record, std::string& why) const {
  if (explain::choose_failure(record, signature_)) return Seen::kSame;
  if (record.outcome == OutcomeKind::kDivergence) {
    why = fmt::format("its decisions could be followed to step {} only", record.steps);
  } else if (record.outcome == OutcomeKind::kTimeout || record.outcome == OutcomeKind::kNone) {
    why = "the run did not end in time";
    return Seen::kLate;
  } else if (record.decisions.size() < schedule_->switches.size()) {
    why = fmt::format("it ended after {} of {} switches", record.decisions.size(), schedule_->switches.size());
  }
  return why.empty() ? Seen::kAbsent : Seen::kUnclear;
}

// Files with a patched address inside of an instruction that was executed.
std::vector<std::string> Examiner::straddled(const record::RunRecord& record, std::string& how) const {
  std::vector<std::string> files;
  for (const wire::Straddle& straddle : record.straddles) {
    const wire::Module* module = module_of(record, straddle.site);
    if (module == nullptr) continue;
    const uint64_t address = straddle.pc - module->bias;
    const os::FileBytes bytes(module->path);
    const auto instruction = scan::decode(address, scan::read_code(bytes.view()).at(address));
    if (!instruction || instruction->end() <= straddle.site - module->bias) continue;
    const std::string name = name_of_file(*module);
    how = fmt::format("{}+0x{:x} is in the middle of an instruction", name, straddle.site - module->bias);
    if (std::ranges::find(files, name) == files.end()) files.push_back(name);
  }
  return files;
}

// Files with patches: those on the stack of the thread that failed come first.
std::vector<std::string> Examiner::suspects() const {
  std::vector<std::string> names;
  const auto add = [&](const wire::Module* module) {
    if (module == nullptr || module->patches == 0) return;
    const std::string name = name_of_file(*module);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  add(module_of(failed_, failed_.fault_pc));
  for (const wire::Thread& thread : failed_.threads)
    if (thread.ordinal == failed_.failing_thread)
      for (const uint64_t frame : failed_.stack(thread.stack)) add(module_of(failed_, frame));
  for (const wire::Module& module : failed_.modules) add(&module);
  return names;
}

// Nothing but the patches differs, so they made it; if it is said twice, and the failure is there again in between.
Examination Examiner::absent() const {
  if (look({}).seen != Seen::kSame || look({"*"}).seen != Seen::kAbsent)
    return {.verdict = Verdict::kOpen, .why = "it does not happen each time"};
  std::vector<std::string> files = suspects();
  for (size_t i = 0; files.size() > 1 && i < std::min(files.size(), kMostFilesAlone); ++i)
    if (look({files[i]}).seen == Seen::kAbsent) files = {files[i]};
  return {.verdict = Verdict::kOurs, .why = "with its bytes untouched the failure does not happen", .files = files};
}

Examination Examiner::examine() {
  const Look first = look({"*"});
  Examination result;
  result.files = straddled(first.record, result.why);
  if (!result.files.empty()) {
    result.verdict = Verdict::kOurs;
    return result;
  }
  if (first.seen == Seen::kSame || (first.seen == Seen::kLate && !is_crash())) return {};
  if (first.seen == Seen::kAbsent) return absent();
  return {.verdict = Verdict::kOpen, .why = first.why};
}

}  // namespace

bool is_to_be_examined(const record::RunRecord& failed) {
  const bool ended_itself = failed.outcome == OutcomeKind::kSignal || has_reason(failed.outcome) ||
                            failed.outcome == OutcomeKind::kExit || failed.outcome == OutcomeKind::kWrongOutput;
  return ended_itself && !explain::is_sanitizers(failed) && failed.failure.kind == record::FailureKind::kOutcome &&
         !failed.parallel && std::ranges::any_of(failed.modules, [](const wire::Module& m) { return m.patches != 0; });
}

Examination cross_examine(const record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu,
                          const Stop& stop) {
  return Examiner(failed, setup, executors, cpu, stop).examine();
}

}  // namespace snarl::explore
