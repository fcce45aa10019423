// From addresses of a tested process to places in its source, after the run.
//
// Works on the files of the process, never inside it (libdw allocates and locks). It never throws because of a file and
// never fails: an address in a file that is missing, stripped, damaged or of another build gives a place with less in
// it. A module is opened at its first address and kept. Not thread-safe: use one Symbolizer per thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "symbolize/place.h"

namespace snarl::symbolize {

class Module;

struct ModuleRef {
  std::string_view path;
  std::string_view build_id = {};  // hex, as the process had it; empty: don't check
};

enum class PcKind {
  kExact,          // the instruction itself
  kReturnAddress,  // behind a call: the byte before it is looked up
};

class Symbolizer {
 public:
  // `debug_root` is where the distribution puts separate debug files.
  explicit Symbolizer(std::string debug_root = "/usr/lib/debug");
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // `offset` is the pc minus the module's load bias: an address as in the file.
  Place place(ModuleRef module, uint64_t offset, PcKind kind = PcKind::kExact);

  // The global object at an address, and the part of it: "app::stats.c[1]". Nothing for a stale module or an address in
  // no known object.
  std::optional<Variable> variable(ModuleRef module, uint64_t offset);

  // The same for a thread-local object, at an offset within the module's block of its thread.
  std::optional<Variable> thread_variable(ModuleRef module, uint64_t offset);

 private:
  Module& open(std::string_view path);

  std::string debug_root_;
  std::unordered_map<std::string, std::unique_ptr<Module>> modules_;
  Module* last_ = nullptr;  // stacks mostly stay in one module
  std::string_view last_path_;
};

}  // namespace snarl::symbolize
