// Writes findings in all formats, with texts that a hostile program could have chosen:
//
//   hostile_formats FOLDER SEED COUNT     FOLDER/0.sarif, 0.xml, 0.md, 0.github, 0.trace.json, 1.sarif, ...
//
// The first of them are the findings of the golden tests, unchanged, and a run that found nothing.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "base/rng.h"
#include "report/finding_texts.h"
#include "report/formats/annotations.h"
#include "report/formats/finding_json.h"
#include "report/formats/junit.h"
#include "report/formats/markdown.h"
#include "report/formats/sarif.h"
#include "report/formats/trace_events.h"
#include "report/text/golden_findings.h"

namespace {

using namespace snarl;
using namespace snarl::report;

constexpr const char* kPieces[] = {"]]>",
                                   "<!--",
                                   "-->",
                                   "<![CDATA[",
                                   "&",
                                   "&amp;",
                                   "\"",
                                   "'",
                                   "<script>",
                                   "</details>",
                                   "`",
                                   "```",
                                   "````````",
                                   "\n",
                                   "\r",
                                   "\r\n",
                                   "\n::error::",
                                   "::set-env name=X::",
                                   "%0A",
                                   "%0D%0A::warning::",
                                   "%",
                                   "\t",
                                   "\x1b[2J",
                                   "\x01",
                                   "\x7f",
                                   "\xc3",
                                   "\xff\xfe",
                                   "\xed\xa0\x80",
                                   "\xf4\x90\x80\x80",
                                   "\xc0\xaf",
                                   "\xef\xbf\xbe",
                                   "\xef\xbf\xbf",
                                   "\xe2\x80\xae",
                                   "\xe2\x80\xa8",
                                   "\xf0\x9f\x90\x89",
                                   "\\",
                                   "\\u0000",
                                   "@everyone",
                                   "| --- |",
                                   "# ",
                                   "[x](javascript:0)",
                                   "://",
                                   "..",
                                   "/",
                                   "//",
                                   " ",
                                   ",",
                                   ":",
                                   "%s%n",
                                   "{}",
                                   "${{ secrets.X }}",
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

class Hostile {
 public:
  explicit Hostile(uint64_t seed) : rng_(seed) {}

  std::string text() {
    std::string result;
    for (uint64_t n = rng_.below(6); n > 0; --n) {
      const uint64_t which = rng_.below(std::size(kPieces) + 1);
      result += which < std::size(kPieces) ? kPieces[which] : std::string(1, static_cast<char>(rng_.below(256)));
    }
    return result;
  }

  void spoil(Finding& finding) {
    for_each_text(finding, [&](std::string& given, Lines) {
      if (rng_.below(3) != 0) given = rng_.below(2) == 0 ? text() : given + text();
    });
  }

 private:
  Rng rng_;
};

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

void write_all(const std::string& base, const Results& results) {
  write(base + ".sarif", sarif_text(results));
  write(base + ".xml", junit_text(results));
  write(base + ".md", markdown_text(results));
  write(base + ".github", annotations_text(results));
  if (!results.findings.empty()) write(base + ".trace.json", trace_events_text(results.findings.front()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string folder = argv[1];
  Hostile hostile(std::strtoull(argv[2], nullptr, 0));
  const int count = std::atoi(argv[3]);
  const std::vector<Finding> plain = golden_findings();
  std::vector<Finding> few = plain;  // what has thousands of rows takes long
  std::erase_if(few, [](const Finding& finding) { return finding.rows.size() > 500; });
  Summary summary = nothing_found();
  write_all(folder + "/0", {summary, {}, {}, {"/home/ann", "/home/ann"}});
  write_all(folder + "/1", {summary, plain, {.exit_code = 1}, {"/home/ann", "/home/ann"}});
  for (int i = 2; i < count; ++i) {
    std::vector<Finding> findings;
    for (int n = 0; n < i % 3; ++n) {
      Finding finding = few[static_cast<size_t>(i + n) % few.size()];
      hostile.spoil(finding);
      const Expected<Finding> read = finding_from_json_text(finding_json_text(finding));
      if (!read) return std::cerr << read.error().message << "\n", 1;
      findings.push_back(*read);
    }
    summary.command = {"./" + hostile.text(), hostile.text()};
    Ending ending{.exit_code = findings.empty() ? 0 : 1};
    if (i % 7 == 0) ending = {.tested = i % 2 == 0, .exit_code = 4, .problem = Error{hostile.text(), hostile.text()}};
    write_all(folder + "/" + std::to_string(i), {summary, findings, ending, {"/home/" + hostile.text(), "/home/ann"}});
  }
  return 0;
}
