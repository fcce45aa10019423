#include "report/finding_texts.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "report/finding_fields.h"
#include "report/printable.h"

namespace snarl::report {
namespace {

constexpr std::string_view kManyLines[] = {"said", "exception", "exception_says", "expected",
                                           "got",  "out_tail",  "err_tail"};

Lines lines_of(std::string_view key) {
  return std::ranges::find(kManyLines, key) == std::end(kManyLines) ? Lines::kOne : Lines::kMany;
}

// An archive that only looks at texts.
class TextVisitor {
 public:
  static constexpr bool kWrites = false;

  explicit TextVisitor(const std::function<void(std::string&, Lines)>& change) : change_(change) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    visit(key, value);
  }
  template <typename T>
  void maybe(const char* key, T& value) {
    visit(key, value);
  }
  void wide(const char*, uint64_t) {}
  void maybe_wide(const char*, uint64_t) {}
  void thread(const char*, uint32_t) {}
  void index(const char*, uint32_t) {}
  void settings(const char*, const RunSettings&) {}

 private:
  template <typename T>
  void visit(const char* key, T& value) {
    if constexpr (std::same_as<T, std::string>)
      change_(value, lines_of(key));
    else if constexpr (std::is_class_v<T>)
      fields(*this, value);
  }
  template <typename T>
  void visit(const char* key, std::vector<T>& values) {
    for (T& value : values) visit(key, value);
  }

  const std::function<void(std::string&, Lines)>& change_;
};

}  // namespace

void for_each_text(Finding& finding, const std::function<void(std::string&, Lines)>& change) {
  TextVisitor visitor(change);
  fields(visitor, finding);
}

Finding printable(Finding finding) {
  for_each_text(finding, [](std::string& text, Lines lines) {
    text = printable(text, lines == Lines::kMany ? Newlines::kKeep : Newlines::kEscape);
  });
  return finding;
}

}  // namespace snarl::report
