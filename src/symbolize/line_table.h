// The rows of one unit's line table, by address, and the unit's source files. Not thread-safe, because files are
// resolved at their first use.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace snarl::symbolize {

struct SourceFile {
  std::string path;
  bool system = false;
};

struct SourceLocation {
  const SourceFile* file = nullptr;  // nullptr: unknown
  int line = 0;
  int column = 0;
};

class LineTable {
 public:
  // `skeleton` has the rows; `tree` numbers the files. They differ only with split DWARF.
  LineTable(Dwarf_Die skeleton, Dwarf_Die tree);

  // Line 0 is code that the compiler assigns to no line. Then the last row with a line counts, but not one before
  // `since`.
  SourceLocation find(uint64_t address, uint64_t since);
  const SourceFile* file(uint64_t number);  // as in DW_AT_decl_file, DW_AT_call_file

 private:
  struct Row {
    uint64_t address;
    const char* file;  // libdw's own copy, the same pointer for the same file
    int line;
    int column;
    bool end;  // of a sequence: nothing is known from here to the next row
  };

  const SourceFile* resolve(const char* recorded);

  std::vector<Row> rows_;  // by address
  std::string directory_;
  Dwarf_Files* files_ = nullptr;
  size_t file_count_ = 0;
  std::unordered_map<const char*, SourceFile> resolved_;
};

}  // namespace snarl::symbolize
