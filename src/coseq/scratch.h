// A folder for temporary files, which is removed again.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace snarl::coseq {

class Scratch {
 public:
  Scratch() {
    const char* tmp = std::getenv("TMPDIR");
    std::string name = std::string(tmp != nullptr && *tmp == '/' ? tmp : "/tmp") + "/snarl-lanes-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Scratch() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  // Empty: none could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace snarl::coseq
