#include "coseq/database.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "os/read_file.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// As a shell would take the line apart, without variables.
Words words_of(const std::string& line) {
  Words words;
  std::string word;
  bool any = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
      any = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      any = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

// Without the compiler, the file, the output, and what the front end says itself.
Words wanted(const Words& command, const std::string& file, const std::string& folder) {
  Words options = {"-working-directory=" + folder};
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ") {
      ++i;
    } else if (word != "-c" && word != file && !word.starts_with("-O") && !word.starts_with("-M") &&
               !(word.starts_with("-o") && word.size() > 2) && word != "--") {
      options.push_back(word);
    }
  }
  return options;
}

}  // namespace

Status read_database(const std::string& path, Sources& sources) {
  Expected<std::string> text = os::read_file(path, 2);
  if (!text) return text.error();
  const nlohmann::json database = nlohmann::json::parse(*text, nullptr, false);
  if (!database.is_array()) return Error{path + " is not a list of compile commands", "cmake and bear make one", 2};
  const bool all = sources.files.empty();
  for (const nlohmann::json& entry : database) {
    if (!entry.is_object() || !entry.contains("file")) return Error{path + ": an entry names no file", {}, 2};
    const std::string named = entry["file"], folder = entry.value("directory", ".");
    const std::string file = (fs::path(folder) / named).lexically_normal();
    const Words command =
        entry.contains("arguments") ? entry["arguments"].get<Words>() : words_of(entry.value("command", ""));
    if (all) sources.files.push_back(file);
    for (const std::string& source : sources.files) {
      std::error_code error;
      if (source == file || fs::equivalent(source, file, error))
        sources.own_options[source] = wanted(command, named, folder);
    }
  }
  if (sources.files.empty()) return Error{path + " names no files", {}, 2};
  return Done{};
}

}  // namespace snarl::coseq
