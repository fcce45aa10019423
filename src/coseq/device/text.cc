#include "coseq/device/text.h"

#include <fmt/format.h>

#include <cstddef>
#include <fstream>
#include <sstream>

namespace snarl::coseq {
namespace {

constexpr uint32_t kRedZone = 64;  // behind globals and constants, as Lane::write_start has it

uint32_t rounded(uint64_t value, uint32_t to) { return static_cast<uint32_t>((value + to - 1) / to * to); }

std::string table(const char* name, const uint8_t* bytes, size_t size) {
  std::string text = fmt::format("LANE_TABLE u8 {}[{}] = {{", name, size == 0 ? 1 : size);
  for (size_t i = 0; i < size; ++i) text += fmt::format("{}{},", i % 32 == 0 ? "\n" : "", bytes[i]);
  return text + (size == 0 ? "0};\n" : "};\n");
}

// Without what names other files: they all stand in the one text.
Expected<std::string> part(const std::string& folder, const char* name) {
  std::ifstream file(folder + "/" + name);
  if (!file) return Error{fmt::format("{}/{} can't be read", folder, name), "is snarl installed as a whole?"};
  std::string text, line;
  while (std::getline(file, line))
    if (line.rfind("#include \"coseq/", 0) != 0 && line.rfind("#pragma once", 0) != 0) text += line + "\n";
  return text;
}

// Argv of main and its texts, which lie behind one another.
uint32_t end_of_arguments(const Lane& lane, uint32_t begin, uint64_t count) {
  uint32_t end = begin + 8 * (static_cast<uint32_t>(count) + 1);
  for (uint64_t i = 0; i < count; ++i) end += static_cast<uint32_t>(lane.text_at(end).size()) + 1;
  return end;
}

}  // namespace

Expected<DeviceText> device_text(Lane& lane, const std::string& bodies, const DeviceSizes& sizes,
                                 const std::string& folder) {
  const LaneProgram& program = lane.program();
  lane.reset();
  const uint8_t *memory = lane.memory(), *shadow = memory + kLaneShadow;
  const uint32_t globals = rounded(program.globals_size + kRedZone, 16),
                 constants = rounded(program.constants_size + kRedZone, 16),
                 locals = rounded(program.thread_locals_size, 64) + 64, heap = rounded(sizes.heap, 64),
                 stack = rounded(sizes.stack, 64), output = rounded(sizes.output, 16);
  const uint32_t arguments = static_cast<uint32_t>(lane.header().arguments);
  const uint32_t arguments_size = end_of_arguments(lane, arguments, lane.header().argument_count) - arguments;
  std::string text;
  const auto add = [&](const char* name) -> Status {
    Expected<std::string> file = part(folder, name);
    if (!file) return file.error();
    text += *file;
    return Done{};
  };
  for (const char* name : {"coseq/models/words.h", "coseq/device/code/target.h", "coseq/models/lane.h"})
    if (Status done = add(name); !done) return done.error();
  const std::pair<const char*, uint64_t> numbers[] = {{"LANE_WIDTH", sizes.width},
                                                      {"LANE_SLOTS", sizes.slots},
                                                      {"LANE_STACK", stack},
                                                      {"LANE_HEAP", heap},
                                                      {"LANE_OUTPUT", output},
                                                      {"LANE_GLOBALS", globals},
                                                      {"LANE_CONSTANTS", constants},
                                                      {"LANE_LOCALS", locals},
                                                      {"LANE_ARGUMENTS", arguments_size},
                                                      {"LANE_ARGUMENTS_AT", arguments},
                                                      {"LANE_MAIN", program.main_pc},
                                                      {"LANE_ARGUMENT_COUNT", lane.header().argument_count}};
  for (const auto& [name, number] : numbers) text += fmt::format("#define {} {}u\n", name, number);
  text += table("lane_globals", program.globals, program.globals_size) +
          table("lane_constants", memory + kLaneConstants, constants) +
          table("lane_locals", program.thread_locals, program.thread_locals_size) +
          table("lane_arguments", memory + arguments, arguments_size) +
          table("lane_shadow_globals", shadow + kLaneGlobals / 8, globals / 8) +
          table("lane_shadow_constants", shadow + kLaneConstants / 8, constants / 8);
  if (Status done = add("coseq/device/code/memory.h"); !done) return done.error();
  text += bodies;
  for (const char* name : {"coseq/device/code/results.h", "coseq/strategy/lane_plan.h", "coseq/device/code/run.h"})
    if (Status done = add(name); !done) return done.error();
  const uint64_t before = offsetof(LaneHeader, threads) + sizes.slots * sizeof(LaneThread) +
                          (sizes.slots * 8 + 8 + 15) / 16 * 16 + globals +
                          uint64_t{sizes.slots} * (locals + stack + 512);
  const uint64_t arena = (before + heap + output + heap / 8 + 64 + 63) / 64 * 64;
  if (arena >= uint64_t{1} << 31)
    return Error{fmt::format("a lane of this program needs {} MB on a device", arena >> 20), "run it on the host"};
  text += fmt::format("typedef char lane_arena_is_as_it_was_computed[kArena == {} ? 1 : -1];\n", arena);
  return DeviceText{text, arena};
}

}  // namespace snarl::coseq
