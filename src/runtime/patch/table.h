// The table of patches of a loaded file: from the cache, or from the scanner, which is a process of its own.
#pragma once

#include <cstdint>

#include "runtime/patch/spin_loads.h"
#include "wire/layout.h"
#include "wire/patch_table.h"

namespace snarl::runtime::patch {

// Library mode is its own scanner: called in a copy of this process, in the place of Options::scanner. An exit code.
extern int (*scan_here)(const char* file, int result, const char* cached, const char* loads);

class Table {
 public:
  // Of the file that `module` describes, with these loads of it; absent if there is none that fits it.
  Table(const wire::Module& module, const SpinLoads& loads);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  bool found() const { return header_ != nullptr; }
  const wire::PatchTable& header() const { return *header_; }
  const wire::Patch* patches() const { return reinterpret_cast<const wire::Patch*>(header_ + 1); }

 private:
  bool map(int fd, const wire::Module& module);

  const wire::PatchTable* header_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace snarl::runtime::patch
