#include "library/sometimes.h"

#include <snarl/c.h>
#include <sys/mman.h>

#include <vector>

namespace snarl::library {
namespace {

constexpr int kMaxSites = 4096;

struct Site {
  const char* text;
  const char* file;
  int line;
  const char* function;
};

// Grows before main and when a library is loaded: never while schedules run.
std::vector<Site>& sites() {
  static auto& all = *new std::vector<Site>;
  return all;
}

// What a site said, by its number. Threads of a schedule write it one at a time.
struct Said {
  bool reached, was_true;
};
Said* said;

bool is_within(const Site& site, const std::string& function) {
  return !function.empty() && std::string(site.function).find(function) != std::string::npos;
}

}  // namespace

bool begin_sometimes() {
  if (said == nullptr) {
    void* memory = mmap(nullptr, kMaxSites * sizeof(Said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    said = static_cast<Said*>(memory);
  }
  for (int i = 0; i < kMaxSites; ++i) said[i] = {};
  return true;
}

std::string never_true(const std::string& within) {
  std::string text;
  for (size_t i = 0; said != nullptr && i < sites().size() && i < kMaxSites; ++i) {
    const Site& site = sites()[i];
    if (said[i].was_true || !(said[i].reached || is_within(site, within))) continue;
    text += std::string("never true in any schedule: ") + site.text + " (" + site.file + ":" +
            std::to_string(site.line) + ")\n";
  }
  return text;
}

}  // namespace snarl::library

extern "C" __attribute__((visibility("default"))) int snarl_register_sometimes(const char* text, const char* file,
                                                                               int line, const char* function) {
  snarl::library::sites().push_back({text, file, line, function});
  return static_cast<int>(snarl::library::sites().size()) - 1;
}

extern "C" __attribute__((visibility("default"))) void snarl_sometimes(int site, int is_true) {
  if (snarl::library::said == nullptr || site < 0 || site >= snarl::library::kMaxSites) return;
  snarl::library::said[site].reached = true;
  if (is_true != 0) snarl::library::said[site].was_true = true;
}
