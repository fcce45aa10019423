#include "cli/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "cli/terminal.h"
#include "os/fd.h"
#include "os/system.h"
#include "report/formats/junit.h"
#include "report/formats/markdown.h"
#include "report/formats/sarif.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

constexpr OutputFormat kFormats[] = {
    {"sarif", "snarl.sarif", report::sarif_text},
    {"junit", "junit.xml", report::junit_text},
    {"markdown", "summary.md", report::markdown_text},
};

// The nearest folder at or above `folder` that is under version control, or else `folder`.
std::string root_of(const fs::path& folder) {
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string();
    if (at == at.parent_path()) return folder.string();
  }
}

Expected<report::SourceRoot> read_root(const Arguments& arguments) {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  const std::string given = arguments.has("source-root") ? arguments.get("source-root") : "";
  if (given.empty()) return report::SourceRoot{root_of(folder), folder.string()};
  if (!fs::is_directory(given, error))
    return Error{fmt::format("{}: {} is not a folder", arguments.label("source-root"), printable_line(given)), {}, 2};
  std::string root = fs::absolute(given, error).lexically_normal().string();
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return report::SourceRoot{root, folder.string()};
}

Error cannot_write(const OutputFile& file) {
  return os::system_error(fmt::format("--{}: can't write {}", file.format->option, printable_line(file.path)));
}

Status write_text(const OutputFile& file, std::string_view text) {
  const os::Fd fd(open(file.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd) return cannot_write(file);
  while (!text.empty()) {
    const ssize_t put = write(fd.get(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return cannot_write(file);
    text.remove_prefix(static_cast<size_t>(put));
  }
  return Done{};
}

// A pipe or a device would show both texts; a folder is refused by open().
bool is_written_twice(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
}

}  // namespace

std::span<const OutputFormat> output_formats() { return kFormats; }

bool OutputFiles::takes_stdout() const { return std::ranges::find(files, "-", &OutputFile::path) != files.end(); }

Expected<OutputFiles> read_output_files(const Arguments& arguments, bool json) {
  OutputFiles result;
  const char* on_stdout = json ? "json" : nullptr;
  for (const OutputFormat& format : kFormats) {
    const std::string path = arguments.has(format.option) ? arguments.get(format.option) : "";
    if (path.empty()) continue;
    if (path == "-" && on_stdout != nullptr)
      return Error{fmt::format("--{} and --{} - exclude each other", on_stdout, format.option),
                   "only one of them can be on the standard output", 2};
    if (path == "-") on_stdout = format.option;
    result.files.push_back({&format, path});
  }
  Expected<report::SourceRoot> root = read_root(arguments);
  if (!root) return root.error();
  result.root = std::move(*root);
  return result;
}

Status begin_output_files(const OutputFiles& files, const std::vector<std::string>& command) {
  report::Summary summary;
  summary.version = SNARL_VERSION;
  summary.command = command;
  const report::Ending ending{.tested = false,
                              .exit_code = 125,
                              .problem = Error{"snarl did not come to its end, or is still running",
                                               "its exit code and its standard error say more"}};
  for (const OutputFile& file : files.files) {
    if (file.path == "-") continue;
    Status written = Done{};
    if (is_written_twice(file.path))
      written = write_text(file, file.format->text({summary, {}, ending, files.root}));
    else if (access(file.path.c_str(), W_OK) != 0)
      written = cannot_write(file);
    if (written) continue;
    Error error = written.error();
    error.exit_code = 2;
    return error;
  }
  return Done{};
}

Status write_output_files(const OutputFiles& files, const report::Results& results) {
  Status result = Done{};
  for (const OutputFile& file : files.files) {
    const std::string text = file.format->text(results);
    if (file.path == "-") {
      show(text);
      continue;
    }
    if (Status written = write_text(file, text); !written && result) result = written;
  }
  return result;
}

}  // namespace snarl::cli
