#include "explore/target/spin_loops.h"

#include <algorithm>
#include <map>
#include <memory>

#include "os/file_bytes.h"
#include "record/modules.h"
#include "record/wire_reader.h"
#include "scan/code_image.h"
#include "scan/spin_loop.h"

namespace snarl::explore {
namespace {

// The code of loaded files, as it is on disk.
class Code {
 public:
  explicit Code(const wire::Layout& layout) : modules_(record::loaded_modules(record::read_modules(layout))) {}

  const LoadedModule* module_of(uint64_t pc) const {
    const auto at = std::ranges::find_if(modules_, [pc](const LoadedModule& m) { return m.begin <= pc && pc < m.end; });
    return at == modules_.end() ? nullptr : &*at;
  }

  std::string_view at(uint64_t pc) {
    const LoadedModule* module = module_of(pc);
    return module == nullptr ? std::string_view() : image_of(module->path).image.code_at(pc - module->bias);
  }

 private:
  struct File {
    explicit File(const std::string& path) : bytes(path), image(scan::read_code(bytes.view())) {}
    os::FileBytes bytes;
    scan::CodeImage image;
  };

  const File& image_of(const std::string& path) {
    std::unique_ptr<const File>& file = files_[path];
    if (!file) file = std::make_unique<const File>(path);
    return *file;
  }

  std::vector<LoadedModule> modules_;
  std::map<std::string, std::unique_ptr<const File>> files_;
};

std::vector<scan::SpinStep> read_steps(const wire::Round& round) {
  const uint64_t said = *const_cast<const volatile uint64_t*>(&round.steps);  // once: it may change under us
  std::vector<scan::SpinStep> steps;
  for (uint64_t i = 0; i < std::min<uint64_t>(said, wire::kMaxRoundSteps); ++i) {
    scan::SpinStep& step = steps.emplace_back();
    step.pc = round.step[i].pc;
    step.flags = round.step[i].flags;
    std::ranges::copy(round.step[i].registers, step.registers);
  }
  return steps;
}

// Nothing: it was in no file.
std::optional<record::SpinLoop> loop_of(const std::vector<scan::SpinStep>& steps, Code& code) {
  if (steps.empty()) return std::nullopt;
  const auto found = scan::find_spin_loop(steps, [&code](uint64_t pc) { return code.at(pc); });
  const uint64_t place = found ? found->loop : steps.front().pc + 1;
  const LoadedModule* module = code.module_of(place);
  if (module == nullptr) return std::nullopt;
  record::SpinLoop loop{.place = {module->path, module->build_id, place - module->bias}, .load = {}};
  if (const LoadedModule* from = found ? code.module_of(found->load) : nullptr)
    loop.load = {hash_file_name(from->path.c_str()), found->load - from->bias};
  return loop;
}

}  // namespace

record::SpinLoops read_spin_loops(const wire::Layout& layout) {
  const uint32_t said = *const_cast<const volatile uint32_t*>(&layout.state.rounds);
  record::SpinLoops loops;
  if (said == 0) return loops;
  Code code(layout);
  for (uint32_t i = 0; i < std::min(said, wire::kMaxRounds); ++i)
    if (auto loop = loop_of(read_steps(layout.rounds[i]), code)) loops.push_back(std::move(*loop));
  return loops;
}

}  // namespace snarl::explore
