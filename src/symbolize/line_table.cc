#include "symbolize/line_table.h"

#include <algorithm>

#include "symbolize/die.h"
#include "symbolize/paths.h"

namespace snarl::symbolize {

LineTable::LineTable(Dwarf_Die skeleton, Dwarf_Die tree) {
  if (const char* directory = die_string(skeleton, DW_AT_comp_dir)) directory_ = directory;
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(&skeleton, &lines, &count) != 0) count = 0;
  if (dwarf_getsrcfiles(&tree, &files_, &file_count_) != 0) file_count_ = 0;
  rows_.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Dwarf_Line* line = dwarf_onesrcline(lines, i);
    Row row{};
    dwarf_lineaddr(line, &row.address);
    dwarf_lineno(line, &row.line);
    dwarf_linecol(line, &row.column);
    dwarf_lineendsequence(line, &row.end);
    row.file = dwarf_linesrc(line, nullptr, nullptr);
    rows_.push_back(row);
  }
  const auto by_address = [](const Row& a, const Row& b) { return a.address < b.address; };
  if (!std::is_sorted(rows_.begin(), rows_.end(), by_address)) std::stable_sort(rows_.begin(), rows_.end(), by_address);
}

SourceLocation LineTable::find(uint64_t address, uint64_t since) {
  auto row =
      std::upper_bound(rows_.begin(), rows_.end(), address, [](uint64_t a, const Row& r) { return a < r.address; });
  if (row == rows_.begin() || std::prev(row)->end) return {};
  --row;
  while (row->line == 0 && row->address > since && row != rows_.begin() && !std::prev(row)->end) --row;
  if (row->line == 0) return {};
  return {resolve(row->file), row->line, row->column};
}

const SourceFile* LineTable::file(uint64_t number) {
  return number < file_count_ ? resolve(dwarf_filesrc(files_, number, nullptr, nullptr)) : nullptr;
}

const SourceFile* LineTable::resolve(const char* recorded) {
  if (!recorded) return nullptr;
  const auto [at, added] = resolved_.try_emplace(recorded);
  if (added) {
    at->second.path = join_path(directory_, recorded);
    at->second.system = is_system_source(at->second.path);
  }
  return &at->second;
}

}  // namespace snarl::symbolize
