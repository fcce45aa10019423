#include "explore/campaign/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "explore/campaign/mark.h"
#include "os/fd.h"
#include "os/system.h"
#include "report/formats/finding_json.h"
#include "report/formats/trace_events.h"

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

Status write_to(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return os::system_error("can't write " + path);
    text.remove_prefix(static_cast<size_t>(put));
  }
  if (fsync(fd) != 0 && errno != EINVAL) return os::system_error("can't write " + path);
  return Done{};
}

Status write_file(const std::string& path, std::string_view text, mode_t mode = 0666) {
  os::Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!fd) return os::system_error("can't write " + path);
  return write_to(fd.get(), path, text);
}

Status rename_file(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return os::system_error("can't make " + to);
  return Done{};
}

void sync_folder(const std::string& path) {
  os::Fd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) fsync(fd.get());
}

}  // namespace

Expected<Store> Store::open(const std::string& path) {
  Expected<OutputFolder> folder = take_output_folder(path);
  if (!folder) return folder.error();
  return Store(std::move(*folder));
}

std::string Store::folder_of(const std::string& name) const { return path() + "/findings/" + name; }

Status Store::add(const report::Finding& finding, const std::string& report_text, const report::Evidence& evidence) {
  const std::string name = report::folder_name(finding, kind_of(finding)), folder = folder_of(name);
  const std::string draft = path() + "/findings/.draft";
  std::error_code error;
  fs::remove_all(draft, error);
  if (mkdir(draft.c_str(), 0777) != 0) return os::system_error("can't make " + draft);
  const struct {
    const char* name;
    std::string text;
    mode_t mode;
  } all[] = {{"report.txt", report_text, 0666},
             {"report.json", report::finding_json_text(finding), 0666},
             {"schedule.snarl", evidence.schedule, 0666},
             {"stdout.txt", evidence.out, 0666},
             {"stderr.txt", evidence.err, 0666},
             {"replay.sh", evidence.replay_script, 0777},
             {"trace.json", report::trace_events_text(finding), 0666}};
  if (!evidence.in.empty())
    if (Status written = write_file(draft + "/" + kStoredInput, evidence.in); !written) return written;
  if (!evidence.mark.empty())
    if (Status written = write_file(draft + "/" + kMarkFile, evidence.mark); !written) return written;
  if (!evidence.directive.empty())
    if (Status written = write_file(draft + "/cause.directive", evidence.directive); !written) return written;
  for (const auto& file : all)
    if (Status written = write_file(draft + "/" + file.name, file.text, file.mode); !written) return written;
  sync_folder(draft);
  if (Status renamed = rename_file(draft, folder); !renamed) return renamed;
  sync_folder(path() + "/findings");
  return point_latest("findings/" + name);
}

Status Store::point_latest(const std::string& folder) {
  const std::string draft = path() + "/.latest";
  unlink(draft.c_str());
  if (symlink(folder.c_str(), draft.c_str()) != 0) return os::system_error("can't make " + path() + "/latest");
  return rename_file(draft, path() + "/latest");
}

Status Store::write_result(const std::string& name, const std::string& text) {
  const std::string draft = path() + "/." + name;
  if (Status written = write_file(draft, text); !written) return written;
  if (Status renamed = rename_file(draft, path() + "/" + name); !renamed) return renamed;
  sync_folder(path());
  return Done{};
}

Status keep_schedule(const std::string& folder, const std::string& schedule, const std::string& input,
                     const std::string& mark) {
  const std::string draft = folder + ".draft";
  std::error_code error;
  fs::remove_all(draft, error);
  if (mkdir(draft.c_str(), 0777) != 0) return os::system_error("can't make " + draft);
  if (Status written = write_file(draft + "/schedule.snarl", schedule); !written) return written;
  if (!input.empty())
    if (Status written = write_file(draft + "/" + kStoredInput, input); !written) return written;
  if (!mark.empty())
    if (Status written = write_file(draft + "/" + kMarkFile, mark); !written) return written;
  sync_folder(draft);
  fs::remove_all(folder, error);
  return rename_file(draft, folder);
}

}  // namespace snarl::explore
