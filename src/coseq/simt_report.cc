#include "coseq/simt_report.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "coseq/simt/warps.h"
#include "coseq/strategy/catalog.h"

namespace snarl::coseq {
namespace {

constexpr uint32_t kDepths = 6;
constexpr size_t kLanes = 65536;         // of the modelled run, as in the paper of SINECOSEQ
constexpr size_t kMultiprocessors = 13;  // of its GPU, a Tesla K20c

struct Row {
  std::string strategy;
  uint32_t depth;
  simt::Modelled modelled;
  std::vector<double> blocks;  // time for all lanes, in thousands of instructions; by the size of a block
};

std::vector<size_t> block_sizes() { return {32, 64, 128, 256, 512}; }

Row row_of(Lane& lane, const SimtWanted& wanted, const char* strategy, uint32_t depth, Shape shape) {
  Scheduler scheduler(lane, wanted.budget);
  Expected<Chosen> chosen = parse_strategy(fmt::format("{}:depth={}", strategy, depth));
  shape.depth = depth;
  Row row{strategy, depth, simt::model(lane, scheduler, *chosen->strategy, wanted.seed, shape, wanted.warps), {}};
  for (const size_t block : block_sizes())
    row.blocks.push_back(
        static_cast<double>(simt::time_of_blocks(row.modelled, wanted.seed, kLanes, block, kMultiprocessors)) / 1000);
  return row;
}

std::string text_of(const Row& row) {
  const simt::Modelled& m = row.modelled;
  std::string text = fmt::format("{:<9} {:>5} {:>12.0f} {:>12.0f} {:>9.1f} {:>8.2f} {:>8.2f} ", row.strategy, row.depth,
                                 m.cost_apart, m.cost_meeting, m.distinct, m.efficiency_apart, m.efficiency_meeting);
  for (const double time : row.blocks) text += fmt::format(" {:>9.0f}", time);
  return text + "\n";
}

std::string json_of(const Row& row) {
  const simt::Modelled& m = row.modelled;
  std::string blocks;
  for (const double time : row.blocks) blocks += fmt::format("{}{:.3f}", blocks.empty() ? "" : ", ", time);
  return fmt::format(
      "{{\"strategy\": \"{}\", \"depth\": {}, \"cost_apart\": {:.3f}, \"cost_meeting\": {:.3f}, \"distinct\": {:.3f}, "
      "\"efficiency_apart\": {:.5f}, \"efficiency_meeting\": {:.5f}, \"blocks\": [{}]}}",
      row.strategy, row.depth, m.cost_apart, m.cost_meeting, m.distinct, m.efficiency_apart, m.efficiency_meeting,
      blocks);
}

}  // namespace

int report_simt(Lane& lane, const SimtWanted& wanted) {
  Scheduler scheduler(lane, wanted.budget);
  const Shape shape = simt::shape_of(lane, scheduler, wanted.seed);
  if (shape.threads < 2)
    return cli::complain({"nothing to model: the program made no thread", "a lane explores orders of threads", 4});
  std::string text, rows;
  text = fmt::format(
      "Modelled, not measured: {} warps of {} lanes each, {} threads, {} steps\n"
      "                instructions for each      lanes  efficiency         thousands of instructions for {} lanes in\n"
      "                different schedule, if      of 32                   blocks of\n"
      "strategy  depth   parted for   meeting at    that   parted  meeting        32        64       128       256    "
      "   512\n"
      "                        ever   every step   differ\n",
      wanted.warps, simt::kWarp, shape.threads, shape.steps, kLanes);
  for (const char* strategy : {"act", "uact", "pct"})
    for (uint32_t depth = 1; depth <= kDepths; ++depth) {
      const Row row = row_of(lane, wanted, strategy, depth, shape);
      text += text_of(row);
      rows += (rows.empty() ? "" : ",\n  ") + json_of(row);
    }
  if (wanted.json)
    text = fmt::format(
        "{{\"schema\": \"snarl.simt/1\", \"threads\": {}, \"steps\": {}, \"warps\": {}, \"lanes\": {}, "
        "\"multiprocessors\": {},\n \"rows\": [\n  {}]}}\n",
        shape.threads, shape.steps, wanted.warps, kLanes, kMultiprocessors, rows);
  cli::show(text);
  return 0;
}

}  // namespace snarl::coseq
