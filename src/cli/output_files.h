// Results in the formats of other programs: SARIF, JUnit XML, Markdown. Each is in the output folder, and where an
// option such as --sarif FILE says.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "report/formats/results.h"

namespace snarl::cli {

// A new one is one row of the table in output_files.cc, and one in that of the options.
struct OutputFormat {
  const char* option;  // whose value is the file
  const char* name;    // of the file in the output folder
  std::string (*text)(const report::Results&);
};
std::span<const OutputFormat> output_formats();

struct OutputFile {
  const OutputFormat* format = nullptr;
  std::string path;  // "-": stdout
};

struct OutputFiles {
  std::vector<OutputFile> files;
  report::SourceRoot root;
  bool takes_stdout() const;
};

// `json`: stdout is taken already.
Expected<OutputFiles> read_output_files(const Arguments& arguments, bool json);

// Writes into each file that there is no result yet: so it is known before the exploration that it can be written to,
// and a file of an earlier run is never taken for this one's, whatever ends us.
Status begin_output_files(const OutputFiles& files, const std::vector<std::string>& command);

// Tries all of them. The first error is the result.
Status write_output_files(const OutputFiles& files, const report::Results& results);

}  // namespace snarl::cli
