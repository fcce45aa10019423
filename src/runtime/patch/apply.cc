#include "runtime/patch/apply.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/patch/loader.h"
#include "runtime/patch/memory.h"
#include "runtime/patch/points.h"
#include "runtime/patch/room.h"
#include "runtime/patch/spin_loads.h"
#include "runtime/patch/stepping.h"
#include "runtime/patch/table.h"
#include "runtime/patch/trampolines.h"
#include "runtime/patch/whose.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/state.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::patch {
namespace {

constexpr uint8_t kTrap = 0xcc, kShortJump = 0xeb, kJump = 0xe9;
constexpr uint8_t kInvalid = 0xd6;  // an instruction that never was, and never will be

// An int3 for each site that has room for no jump. A debugger takes those for its own, and is given SIGILL instead.
struct Trap {
  uint64_t site, target;
};
constexpr uint32_t kMostTraps = 4096;
SNARL_LARGE Trap traps[kMostTraps];
SNARL_PROCESS_STATE uint32_t trap_count = 0;
SNARL_PROCESS_STATE bool illegal_traps = false;

// A file that was looked at. One that was unloaded and is loaded again at the same address has no patches.
struct Seen {
  uint64_t begin;
  uint64_t first_patch;  // its address in the file, 0: none
  uint8_t byte;          // what was written there
};
SNARL_LARGE Seen seen[wire::kMaxModules];
SNARL_PROCESS_STATE uint32_t seen_count = 0;

SNARL_PROCESS_STATE wire::Patched totals;  // of this process: each run has its own copy

bool equal(const uint8_t* a, const uint8_t* b, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// The code of a file, writable while this lives.
class Opened {
 public:
  explicit Opened(const dl_phdr_info& info) : info_(info), good_(set(PROT_READ | PROT_WRITE)) {}
  ~Opened() { set(PROT_READ | PROT_EXEC); }
  Opened(const Opened&) = delete;
  bool good() const { return good_; }

  static bool is_code(const ElfW(Phdr) & header) { return header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0; }

 private:
  bool set(int protection) {
    bool all = true;
    for (ElfW(Half) i = 0; i < info_.dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info_.dlpi_phdr[i];
      const uint64_t begin = info_.dlpi_addr + header.p_vaddr;
      const int wanted = protection | ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0);
      if (is_code(header)) all &= protect(begin, begin + header.p_memsz, wanted);
    }
    return all;
  }

  const dl_phdr_info& info_;
  bool good_;
};

bool is_in_code(const dl_phdr_info& info, uint64_t address, uint64_t size) {
  for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (Opened::is_code(header) && address >= header.p_vaddr && size <= header.p_filesz &&
        address - header.p_vaddr <= header.p_filesz - size)
      return true;
  }
  return false;
}

// The table was checked, but it comes from a file: nothing outside of the code is written.
bool is_possible(const dl_phdr_info& info, const wire::Patch& patch) {
  const bool fits =
      patch.count > 0 && patch.count <= wire::kMaxPatchInstructions && patch.length <= wire::kMaxPatchBytes;
  if (!fits || !is_in_code(info, patch.address, patch.length)) return false;
  if (patch.way == wire::PatchWay::kHole && !is_in_code(info, patch.hole, wire::kJumpBytes)) return false;
  uint32_t length = 0;
  for (uint8_t i = 0; i < patch.count; ++i) length += patch.instructions[i].length;
  return length == patch.length &&
         equal(reinterpret_cast<const uint8_t*>(info.dlpi_addr + patch.address), patch.bytes, patch.length);
}

void write_jump(uint64_t at, uint64_t target) {
  auto* to = reinterpret_cast<uint8_t*>(at);
  const auto distance = static_cast<int32_t>(target - (at + wire::kJumpBytes));
  to[0] = kJump;
  raw::copy(to + 1, &distance, sizeof distance);
}

bool write(const wire::Patch& patch, uint64_t bias, uint64_t target) {
  const uint64_t site = bias + patch.address;
  auto* to = reinterpret_cast<uint8_t*>(site);
  if (patch.way == wire::PatchWay::kTrap) {
    if (trap_count == kMostTraps) return false;
    traps[trap_count++] = {site, target};
    to[0] = illegal_traps ? kInvalid : kTrap;
    return true;
  }
  raw::fill(to, kTrap, patch.length);
  if (patch.way != wire::PatchWay::kHole) return write_jump(site, target), true;
  write_jump(bias + patch.hole, target);
  to[0] = kShortJump;
  to[1] = static_cast<uint8_t>(patch.hole - (patch.address + wire::kShortJumpBytes));
  return true;
}

// What of a file was patched; `emulated` are no points.
struct Counts {
  uint32_t sites = 0, loads = 0, functions = 0, emulated = 0;
  bool any = false;
};

// False: none of it is wanted.
bool add_wanted(const wire::Patch& patch, bool atomics, Counts& counts) {
  const Counts before = counts;
  bool named = false;
  for (uint8_t i = 0; i < patch.count; ++i) {
    const wire::PatchedInstruction& one = patch.instructions[i];
    const bool is_load = one.point == wire::PatchPoint::kLoad, emulated = wire::is_emulated(one.point);
    counts.loads += is_load ? 1 : 0;
    counts.sites += !is_load && !emulated && wire::has_point(one, atomics) ? 1 : 0;
    counts.functions += one.named.begins ? 1 : 0;
    counts.emulated += atomics && emulated ? 1 : 0;
    named |= one.named.use != FunctionUse::kNone;
  }
  return named || counts.sites != before.sites || counts.loads != before.loads || counts.emulated != before.emulated;
}

bool has_points_before(const wire::PatchedInstruction& one, bool atomics) {
  return one.named.use != FunctionUse::kNone || wire::has_point(one, atomics);
}

// Every instruction of the patch is a site: where one has no point, it is still said to be an instruction.
bool step_patch(const wire::Patch& patch, uint64_t bias, bool atomics, Trampolines& stubs) {
  uint64_t at = bias + patch.address;
  const uint8_t* bytes = patch.bytes;
  for (uint8_t i = 0; i < patch.count; ++i) {
    const wire::PatchedInstruction& one = patch.instructions[i];
    stepping::Site site{.address = at,
                        .before = 0,
                        .after = 0,
                        .length = one.length,
                        .emulated = atomics && wire::is_emulated(one.point)};
    if (has_points_before(one, atomics)) site.before = stubs.add_stub(one, bytes, at, false);
    if (wire::has_point(one, atomics) && one.after) site.after = stubs.add_stub(one, bytes, at, true);
    if (!stepping::add(site)) return false;
    at += one.length;
    bytes += one.length;
  }
  return true;
}

// The points of the patches, without the patches.
Counts step(const dl_phdr_info& info, const wire::Module& module, const Table& table, bool atomics) {
  const Room room(module, table.patches(), table.header().patches);
  if (!room.good() || !stepping::reserve()) return {};
  Trampolines stubs = room.trampolines(atomics);
  Counts counts;
  for (uint32_t i = 0; i < table.header().patches; ++i) {
    const wire::Patch& patch = table.patches()[i];
    Counts with = counts;
    if (!add_wanted(patch, atomics, with) || !is_possible(info, patch) ||
        !step_patch(patch, info.dlpi_addr, atomics, stubs))
      continue;
    counts = with;
    counts.any = true;
  }
  stepping::order();
  room.close(stubs.moved());
  return counts;
}

Counts apply(const dl_phdr_info& info, const wire::Module& module, const Table& table, bool atomics, Seen& entry) {
  const Room room(module, table.patches(), table.header().patches);
  if (!room.good()) return {};
  Opened code(info);
  if (!code.good()) return {};
  Trampolines trampolines = room.trampolines(atomics);
  Counts counts;
  for (uint32_t i = 0; i < table.header().patches; ++i) {
    const wire::Patch& patch = table.patches()[i];
    Counts with = counts;
    const bool wanted = add_wanted(patch, atomics, with) && is_possible(info, patch);
    const uint64_t target = wanted ? trampolines.add(patch, info.dlpi_addr) : 0;
    if (target == 0 || !write(patch, info.dlpi_addr, target)) continue;
    counts = with;
    counts.any = true;
    entry.first_patch = patch.address;
    entry.byte = *reinterpret_cast<const uint8_t*>(info.dlpi_addr + patch.address);
  }
  room.close(trampolines.moved());
  return counts;
}

// Its entry if it is to be looked at: new here, or loaded again.
Seen* to_look_at(const dl_phdr_info& info, uint64_t begin) {
  for (uint32_t i = 0; i < seen_count; ++i) {
    Seen& one = seen[i];
    if (one.begin != begin) continue;
    const bool gone =
        one.first_patch != 0 && (!is_in_code(info, one.first_patch, 1) ||
                                 *reinterpret_cast<const uint8_t*>(info.dlpi_addr + one.first_patch) != one.byte);
    return gone ? &one : nullptr;
  }
  return seen_count == wire::kMaxModules ? nullptr : &(seen[seen_count++] = {begin, 0, 0});
}

bool wants_atomics() { return (engine::shared->command.settings.points & kAtomicPoints) != 0; }
bool wants_loads() { return engine::shared->options.spin_loads != 0; }
bool wants_functions() { return engine::shared->options.functions[0] != '\0'; }

void note_patches(const wire::Module& file, uint32_t patches) {
  wire::Layout& wire = *engine::shared;
  list_module_of(file.begin);  // it may be new
  for (uint32_t i = 0; i < wire.state.modules; ++i)
    if (wire.modules[i].begin == file.begin) wire.modules[i].patches = patches;
}

void patch_file(const dl_phdr_info& info) {
  wire::Module module;
  describe_module(module, info);
  Seen* entry = to_look_at(info, module.begin);
  const wire::Options& options = engine::shared->options;
  if (entry == nullptr || is_runtime(module) || has_line(options.unpatched, file_name(module.path))) return;
  const bool is_mallocs = replaces_malloc(info);
  const bool atomics = wants_atomics() && !is_mallocs;
  const SpinLoads loads = is_mallocs ? SpinLoads() : SpinLoads(module);
  if (!atomics && !loads.any() && !wants_functions()) return;
  const Table table(module, loads);
  if (!table.found()) {
    ++totals.unread;
    return;
  }
  const bool steps = options.stepped[0] == '*' || has_line(options.stepped, file_name(module.path));
  Counts done;
  if (table.header().patches != 0)
    done = steps ? step(info, module, table, atomics) : apply(info, module, table, atomics, *entry);
  note_patches(module, done.sites + done.loads + done.functions + done.emulated);
  const bool wanted = (atomics && table.header().patches != 0) || table.header().functions != 0;
  if (atomics) totals.sites += table.header().sites;
  if (atomics) totals.disputed += table.header().disputed;
  totals.patched += done.sites;
  totals.functions += table.header().functions;
  totals.functions_patched += done.functions;
  totals.matched |= table.header().matched;
  if (!done.any && wanted) ++totals.refused;
}

int visit(dl_phdr_info* info, size_t, void*) {
  patch_file(*info);
  return 0;
}

void patch_new_files() {
  const uint32_t traps_before = trap_count;
  dl_iterate_phdr(visit, nullptr);
  if (traps_before == 0 && has_traps()) signals::catch_traps();
  publish();
}

}  // namespace

void begin() {
  if (!(wants_atomics() || wants_loads() || wants_functions()) || !measure_vectors()) return;
  if (!may_change_code()) {
    totals.refused = 1;  // the executable, and whatever else there is
    return publish();
  }
  illegal_traps = snarl_debug.is_watched != 0;
  patch_new_files();
  when_files_are_loaded(patch_new_files);
}

void publish() { engine::shared->state.patched = totals; }

uint64_t trap_target(int signal, uint64_t pc) {
  const uint64_t site = signal == SIGTRAP ? pc - 1 : pc;
  for (uint32_t i = 0; i < trap_count; ++i)
    if (traps[i].site == site) return traps[i].target;
  return 0;
}

bool traps_are_illegal() { return illegal_traps; }
bool has_traps() { return trap_count != 0 || stepping::is_on(); }

}  // namespace snarl::runtime::patch
