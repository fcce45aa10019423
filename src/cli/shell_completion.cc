#include "cli/shell_completion.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/verbs.h"
#include "policy/catalog.h"

namespace snarl::cli {
namespace {

std::vector<std::string> policy_words() {
  std::vector<std::string> words;
  for (const policy::PolicyInfo& policy : policy::policy_catalog()) {
    if (!policy.for_users) continue;
    words.emplace_back(policy.name);
    for (const policy::ParamInfo& param : policy.params)
      words.push_back(fmt::format("{}:{}=", policy.name, param.name));
    for (const policy::TextInfo& param : policy.texts) words.push_back(fmt::format("{}:{}=", policy.name, param.name));
  }
  return words;
}

// The values that an option may have; empty if that is not a list.
std::vector<std::string> values_of(const OptionInfo& option) {
  if (option.choices != nullptr) return split(option.choices, "|");
  return std::string_view(option.metavar) == "POLICY" ? policy_words() : std::vector<std::string>();
}

// "-n|--schedules"
std::string pattern_of(const OptionInfo& option) {
  return option.letter == '\0' ? fmt::format("--{}", option.name) : fmt::format("-{}|--{}", option.letter, option.name);
}

std::string bash_values(const OptionInfo& option) {
  const std::string_view metavar = option.metavar;
  if (metavar == "FOLDER") return "_snarl_files -d";
  if (metavar == "FILE") return "_snarl_files -f";
  if (metavar == "POLICY") return fmt::format("_snarl_policies \"{}\"", fmt::join(values_of(option), " "));
  return fmt::format("_snarl_words \"{}\"", fmt::join(values_of(option), " "));
}

std::string bash_case(const VerbInfo& verb) {
  std::string text = fmt::format("    {})\n      case $before in\n", verb.name);
  std::string flags;
  for (const OptionInfo* option : options_of(verb.verb)) {
    flags += fmt::format("{}--{}", flags.empty() ? "" : " ", option->name);
    if (!option->is_switch())
      text += fmt::format("        {}) {}; return ;;\n", pattern_of(*option), bash_values(*option));
  }
  return text + fmt::format("      esac\n      flags=\"{}\" ;;\n", flags);
}

constexpr const char* kBashStart = R"(# bash completion for snarl; made by `snarl --generate bash`.
# Words are split at blanks here: readline would cut pct:depth=3 into five.
_snarl_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  # readline replaces only what follows the last : or =
  local kept=${word%"${word##*[:=]}"}
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
_snarl_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen "$@" -- "$word"))
}
_snarl_policies() {
  if [[ $word == */* ]]; then _snarl_files -f; else _snarl_words "$1"; fi
}
_snarl_findings() {
  local folder
  for folder in snarl-out/findings/*-*; do
    folder=${folder##*/}
    [[ ${folder%%-*} == "$word"* && $folder != '*'* ]] && COMPREPLY+=("${folder%%-*}")
  done
}
_snarl() {
  local line=${COMP_LINE:0:COMP_POINT} words word before verb= flags= i
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  before=${words[-2]:-}
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    if [[ ${words[i]} == -- ]]; then
      # the tested program: found in PATH or by its path, then whatever files it takes
      if [[ $i -eq $((${#words[@]} - 2)) && $word != */* ]]; then _snarl_files -c -f; else _snarl_files -f; fi
      return
    fi
    [[ -z $verb && ${words[i]} != -* ]] && verb=${words[i]}
  done
  if [[ $word == --*=* ]]; then
    before=${word%%=*}
    word=${word#*=}
  fi
  case $verb in
)";

constexpr const char* kBashEnd = R"(    help) _snarl_words "@verbs@"; return ;;
    *) _snarl_words "@verbs@ help --version --help"; return ;;
  esac
  if [[ $word == -* ]]; then
    _snarl_words "$flags --"
  elif [[ $verb == replay ]]; then
    _snarl_files -f
    _snarl_findings
  else
    _snarl_words "--"
  fi
}
complete -F _snarl snarl
)";

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

// In a zsh specification quotes, brackets and colons mean something.
std::string zsh_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') result += "'\\'";  // ends the quotes, and the last one begins them again
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string zsh_values(const OptionInfo& option) {
  const std::string_view metavar = option.metavar;
  if (metavar == "FOLDER") return "_files -/";
  if (metavar == "FILE") return "_files";
  const std::vector<std::string> values = values_of(option);
  if (values.empty()) return "";
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : " ") + replaced(value, ":", "\\:");
  return fmt::format("({})", list);
}

std::string zsh_option(const OptionInfo& option) {
  const std::string help = zsh_quoted(split(option.help, "\n").front());
  const std::string value =
      option.is_switch() ? "" : fmt::format(":{}:{}", zsh_quoted(option.metavar), zsh_values(option));
  const char* equals = option.is_switch() ? "" : "=";
  std::string text =
      fmt::format("        '{}--{}{}[{}]{}' \\\n", option.many ? "*" : "", option.name, equals, help, value);
  if (option.letter != '\0')
    text += fmt::format("        '{}-{}{}[{}]{}' \\\n", option.many ? "*" : "", option.letter,
                        option.is_switch() ? "" : "+", help, value);
  return text;
}

}  // namespace

std::string bash_completion() {
  std::vector<std::string> verbs;
  std::string text = kBashStart;
  for (const VerbInfo& verb : verb_table()) {
    verbs.emplace_back(verb.name);
    text += bash_case(verb);
  }
  return text + replaced(kBashEnd, "@verbs@", fmt::format("{}", fmt::join(verbs, " ")));
}

std::string zsh_completion() {
  std::string text =
      "#compdef snarl\n# zsh completion for snarl; made by `snarl --generate zsh`.\n_snarl() {\n  local -a verbs\n  "
      "verbs=(\n";
  for (const VerbInfo& verb : verb_table()) text += fmt::format("    '{}:{}'\n", verb.name, zsh_quoted(verb.summary));
  text +=
      "    'help:explain a verb'\n  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n  "
      "case $words[2] in\n";
  for (const VerbInfo& verb : verb_table()) {
    text += fmt::format("    {})\n      shift words\n      (( CURRENT-- ))\n      _arguments -S \\\n", verb.name);
    for (const OptionInfo* option : options_of(verb.verb)) text += zsh_option(*option);
    text += "        '*::program:_normal'\n      ;;\n";
  }
  return text + "    help) _describe verb verbs ;;\n  esac\n}\n_snarl \"$@\"\n";
}

}  // namespace snarl::cli
