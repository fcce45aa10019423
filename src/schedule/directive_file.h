// Directives as text (docs/formats/directive.md), and as constraints for a process.
//
// Threads are named by how they came to be ("main/2/1": the first child of main's second), places by
// file and offset, so that a directive means the same in every process. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schedule/directive.h"
#include "schedule/schedule.h"

namespace snarl {

constexpr uint32_t kDirectiveVersion = 1;

struct NamedEvent {
  std::vector<uint32_t> thread;  // children from main, each from 1; empty: main
  std::string file;              // last part of a loaded file's path; empty: the thread's start
  uint64_t offset = 0;           // of the return address, in that file
  uint64_t nth = 1;              // the thread's n-th arrival there
};

struct NamedConstraint {
  NamedEvent target;
  std::vector<NamedEvent> sources;
};

struct Directive {
  std::vector<NamedConstraint> constraints;
};

// parse_directive(write_directive(d)) gives d again.
std::string write_directive(const Directive& directive);

// An error names `file`:line and what was expected (exit code 2).
Expected<Directive> parse_directive(std::string_view text, std::string_view file);

// For a process with these modules. No thread comes to a place in a file that is not loaded.
std::vector<Constraint> constraints_for(const Directive& directive, std::span<const LoadedModule> modules);

}  // namespace snarl
