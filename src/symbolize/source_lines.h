// Lines of source files, for people who do not have them at hand.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace snarl::symbolize {

class SourceLines {
 public:
  // A file that was changed after `program` was built is not shown: its lines may be others.
  explicit SourceLines(std::string program) : program_(std::move(program)) {}

  // Without the space around it; empty: there is no such line, or nobody knows it.
  std::string line(const std::string& path, int number);

 private:
  std::string program_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace snarl::symbolize
