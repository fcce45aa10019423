// Places in source files as readers on another machine can find them. Pure.
#pragma once

#include <string>

#include "report/formats/results.h"
#include "report/location.h"

namespace snarl::report {

struct SourcePath {
  std::string path;  // relative to the root with '/' between its parts, or absolute
  bool in_root = false;
  bool known() const { return !path.empty(); }
};

// Of the source file of a place; not known: it has none.
SourcePath source_path(const Location& place, const SourceRoot& root);

// A path as a URI reference: "queue%20test.cc", or "file:///usr/include/x.h" for an absolute one.
std::string uri_of(const std::string& path);

// The place that a reader is sent to: of the failure if it has a source line, or else the nearest to it that has one.
Location shown_place(const Finding& finding);

}  // namespace snarl::report
