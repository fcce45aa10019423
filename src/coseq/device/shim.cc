// The device's text on the host, lane after lane in a process of its own, under the checks of the compiler.
#include <fmt/format.h>

#include <fstream>

#include "coseq/device/back_end.h"
#include "coseq/front/command.h"

namespace snarl::coseq {
namespace {

// Reads a batch and its plans, and writes totals and outcomes.
constexpr const char* kMain = R"(
#include <stdio.h>
#include <stdlib.h>
int main(int, char** words) {
  LaneBatch batch;
  static LaneTotals totals;
  FILE* in = fopen(words[1], "rb");
  if (in == nullptr || fread(&batch, sizeof batch, 1, in) != 1) return 2;
  LanePlan* plans = new LanePlan[batch.lanes];
  if (fread(plans, sizeof *plans, batch.lanes, in) != batch.lanes) return 2;
  const u64 warps = (batch.lanes + LANE_WIDTH - 1) / LANE_WIDTH;
  u8* memory = (u8*)malloc(warps * LANE_WIDTH * kArena);
  LaneOutcome* outcomes = new LaneOutcome[batch.lanes]();
  for (lane_index = 0; lane_index < batch.lanes; ++lane_index)
    lane_kernel(memory, plans, &batch, &totals, outcomes);
  FILE* out = fopen(words[2], "wb");
  const u32 told = batch.keeps_all ? batch.lanes : totals.failures;
  if (out == nullptr || fwrite(&totals, sizeof totals, 1, out) != 1) return 2;
  if (fwrite(outcomes, sizeof *outcomes, told, out) != told || fclose(out) != 0) return 2;
  free(memory);
  delete[] plans;
  delete[] outcomes;
  fclose(in);
}
)";

class Shim final : public BackEnd {
 public:
  Shim(const std::string& scratch, uint32_t lanes) : scratch_(scratch), lanes_(lanes) {}

  Status build(const std::string& code) {
    const std::string source = scratch_ + "/shim.cc";
    std::ofstream file(source);
    file << "#define LANE_SHIM 1\n#include <math.h>\n" << code << kMain;
    file.close();
    if (!file) return Error{"can't write " + source, "is the disk full?"};
    const int code_of =
        run_command({"g++", "-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off",
                     "-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow,shift",
                     "-fno-sanitize-recover=all", "-o", scratch_ + "/shim", source});
    if (code_of == 0) return Done{};
    return Error{"the device's code does not compile on the host", "is g++ installed, with its sanitizers?"};
  }

  uint32_t lanes() const override { return lanes_; }

  Expected<BatchResult> run(std::span<const LanePlan> plans, LaneBatch batch) override {
    const std::string in = scratch_ + "/shim.in", out = scratch_ + "/shim.out";
    batch.lanes = static_cast<uint32_t>(plans.size());
    std::ofstream to(in, std::ios::binary);
    to.write(reinterpret_cast<const char*>(&batch), sizeof batch);
    to.write(reinterpret_cast<const char*>(plans.data()), static_cast<std::streamsize>(plans.size_bytes()));
    to.close();
    if (!to) return Error{"can't write " + in, "is the disk full?"};
    if (const int code = run_command({scratch_ + "/shim", in, out}); code != 0)
      return Error{fmt::format("the device's code failed on the host (exit code {})", code), "this is a bug of snarl"};
    BatchResult result;
    std::ifstream from(out, std::ios::binary);
    from.read(reinterpret_cast<char*>(&result.totals), sizeof result.totals);
    result.outcomes.resize(batch.keeps_all ? batch.lanes : result.totals.failures);
    from.read(reinterpret_cast<char*>(result.outcomes.data()),
              static_cast<std::streamsize>(result.outcomes.size() * sizeof(LaneOutcome)));
    if (!from) return Error{"can't read " + out, "is the disk full?"};
    return result;
  }

 private:
  const std::string scratch_;
  const uint32_t lanes_;
};

}  // namespace

Expected<std::unique_ptr<BackEnd>> open_shim(const DeviceText& text, const DevicePlace& place) {
  constexpr uint32_t kLanes = 512;
  auto shim = std::make_unique<Shim>(
      place.scratch, lanes_for(~uint64_t{0} >> 1, text.arena, place.most_lanes == 0 ? kLanes : place.most_lanes));
  if (Status built = shim->build(text.code); !built) return built.error();
  return std::unique_ptr<BackEnd>(std::move(shim));
}

}  // namespace snarl::coseq
