#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace snarl::cli {
namespace {

// Text as roff prints it unchanged: no line begins a request, and hyphens stay what shells know as one.
std::string roff(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result;
}

std::string heading(const std::string& verb) {
  const std::string title = verb.empty() ? "SNARL" : "SNARL-" + verb;
  std::string upper = title;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"\" \"snarl {}\" \"User Commands\"\n", roff(upper), SNARL_VERSION);
}

std::string section(const char* name) { return fmt::format(".SH {}\n", name); }

// A verb's help in its parts: see VerbInfo.
struct Parts {
  std::string usage;
  std::vector<std::string> about, more;  // paragraphs
};

Parts parts_of(const std::string& help) {
  const size_t options = std::min(help.find(kOptionsHeading), help.size());
  const size_t end = help.find(kOptionsEnd);
  Parts parts;
  parts.about = split(std::string_view(help).substr(0, options), "\n\n");
  if (end != help.npos)
    parts.more = split(std::string_view(help).substr(end + std::string_view(kOptionsEnd).size()), "\n\n");
  if (parts.about.empty()) return parts;
  parts.usage = parts.about.front();
  parts.about.erase(parts.about.begin());
  for (std::string* text : {&parts.usage})
    if (text->starts_with("usage: ")) text->erase(0, 7);
  return parts;
}

std::string option_entry(const OptionInfo& option) {
  std::string entry = ".TP\n";
  if (option.letter != '\0') entry += fmt::format("\\fB\\-{}\\fR, ", option.letter);
  entry += fmt::format("\\fB{}\\fR", roff(std::string("--") + option.name));
  if (!option.is_switch()) entry += fmt::format(" \\fI{}\\fR", roff(option.metavar));
  entry += "\n";
  const std::vector<std::string> lines = split(option.help, "\n");
  for (size_t i = 0; i < lines.size(); ++i) entry += (i == 0 ? "" : ".br\n") + roff(lines[i]) + "\n";
  if (option.fallback != nullptr) entry += fmt::format("(default: {})\n", roff(option.fallback));
  return entry;
}

// "Examples:" keeps its lines, "Exit code:" is a sentence; anything else stays a paragraph.
std::string more_section(std::string_view text) {
  constexpr std::string_view kExamples = "Examples:\n", kExit = "Exit code: ";
  while (text.starts_with('\n')) text.remove_prefix(1);
  if (text.starts_with(kExamples))
    return section("EXAMPLES") + ".nf\n" + roff(text.substr(kExamples.size())) + "\n.fi\n";
  if (text.starts_with(kExit)) return section("\"EXIT STATUS\"") + roff(text.substr(kExit.size())) + "\n";
  return text.empty() ? "" : ".PP\n" + roff(text) + "\n";
}

std::string without_blank_lines(std::string text) {
  for (size_t at; (at = text.find("\n\n")) != text.npos;) text.erase(at, 1);
  return text;
}

std::string see_also(std::string_view without) {
  std::vector<std::string> pages;
  if (!without.empty()) pages.emplace_back(".BR snarl (1)");
  for (const VerbInfo& verb : verb_table())
    if (without != verb.name) pages.push_back(fmt::format(".BR snarl\\-{} (1)", verb.name));
  return section("\"SEE ALSO\"") + fmt::format("{}\n", fmt::join(pages, ",\n"));
}

std::string environment_text() {
  return section("ENVIRONMENT") +
         roff(
             "Each long option has a twin: --keep-going is SNARL_KEEP_GOING=1, --timeout 5s is SNARL_TIMEOUT=5s; "
             "several policies are separated by blanks.\nNO_COLOR turns colours off, CI and TERM=dumb the live "
             "line.\n");
}

std::string files_text() {
  return section("FILES") + ".TP\n\\fIsnarl.toml\\fR\n" +
         roff(
             "options, in the current folder or the nearest one above it: key = value with the long options as keys, "
             "for "
             "all verbs at the top or for one below [run], [replay] and so on.\nA flag counts more than the "
             "environment, "
             "and that more than the file; --print-config shows what came from where.\n") +
         ".TP\n\\fIsnarl\\-out/\\fR\n" + roff("results: summary.json, and a folder for each finding.\n");
}

}  // namespace

std::string man_page() {
  std::string text = heading("") + section("NAME") + "snarl \\- find concurrency bugs in unmodified programs\n";
  text += section("SYNOPSIS") + "\\fBsnarl\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] [\\-\\- \\fIPROGRAM ARGUMENTS\\fR]\n";
  text +=
      section("DESCRIPTION") +
      roff(
          "snarl runs a program under many schedules of its threads until it breaks, then shows why and replays it.\n");
  for (const VerbInfo& verb : verb_table())
    text += fmt::format(".TP\n\\fBsnarl {}\\fR\n{}\n", verb.name, roff(verb.summary));
  return text + environment_text() + files_text() + see_also("");
}

std::string man_page(const VerbInfo& verb) {
  const Parts parts = parts_of(verb.help());
  std::string text =
      heading(verb.name) + section("NAME") + fmt::format("snarl\\-{} \\- {}\n", verb.name, roff(verb.summary));
  text += section("SYNOPSIS") + roff(parts.usage) + "\n" + section("DESCRIPTION");
  for (size_t i = 0; i < parts.about.size(); ++i) text += (i == 0 ? "" : ".PP\n") + roff(parts.about[i]) + "\n";
  text += section("OPTIONS");
  for (const OptionInfo* option : options_of(verb.verb)) text += option_entry(*option);
  text += environment_text() + files_text();
  for (const std::string& paragraph : parts.more) text += more_section(paragraph);
  return without_blank_lines(text + see_also(verb.name));
}

}  // namespace snarl::cli
