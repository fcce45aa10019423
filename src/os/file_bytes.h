// The bytes of a file, mapped. Empty if it can't be read.
#pragma once

#include <string>
#include <string_view>

namespace snarl::os {

class FileBytes {
 public:
  explicit FileBytes(const std::string& path);
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  std::string_view view() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace snarl::os
