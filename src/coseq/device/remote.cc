// A back end in the process of its driver.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>

#include "coseq/device/back_end.h"
#include "coseq/device/channel.h"

namespace snarl::coseq {
namespace {

class Remote final : public BackEnd {
 public:
  Remote(std::string kind, int file, pid_t child)
      : kind_(std::move(kind)), file_(file), channel_(file), child_(child) {}
  ~Remote() override { end(); }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;

  Status open(const DeviceText& text, const DevicePlace& place) {
    Error error;
    if (!channel_.put_list(text.code.data(), text.code.size()) || !channel_.put(&text.arena, sizeof text.arena) ||
        !channel_.put(&place.most_lanes, sizeof place.most_lanes) ||
        !channel_.put(&place.memory, sizeof place.memory) || !channel_.get_error(error))
      return died();
    if (!error.message.empty()) return error;
    return channel_.get(&lanes_, sizeof lanes_) ? Status(Done{}) : Status(died());
  }

  uint32_t lanes() const override { return lanes_; }

  Expected<BatchResult> run(std::span<const LanePlan> plans, LaneBatch batch) override {
    BatchResult result;
    Error error;
    if (!channel_.put(&batch, sizeof batch) || !channel_.put_list(plans.data(), plans.size()) ||
        !channel_.get_error(error))
      return died();
    if (!error.message.empty()) return error;
    if (!channel_.get(&result.totals, sizeof result.totals) || !channel_.get_list(result.outcomes)) return died();
    return result;
  }

 private:
  int end() {
    if (child_ <= 0) return 0;
    close(file_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return status;
  }
  Error died() {
    const int status = end();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      return Error{kind_ + ": the driver's process was killed: is there enough memory?", "lower --device-memory"};
    return Error{WIFSIGNALED(status)
                     ? fmt::format("{}: the driver's process ended by signal {}", kind_, WTERMSIG(status))
                     : fmt::format("{}: the driver's process ended", kind_),
                 "does the driver work with other programs?"};
  }

  const std::string kind_;
  const int file_;
  const Channel channel_;
  pid_t child_;
  uint32_t lanes_ = 0;
};

}  // namespace

Expected<std::unique_ptr<BackEnd>> open_remote(const std::string& kind, const std::string& server,
                                               const DeviceText& text, const DevicePlace& place) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"no channel to the driver's process can be made", "raise ulimit -n"};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], kChannel);
  posix_spawn_file_actions_adddup2(&files, 2, 1);  // drivers talk
  std::string words[] = {server, kind, place.scratch};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, server.c_str(), &files, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return Error{server + " can't be started", "is snarl installed as a whole?"};
  }
  auto remote = std::make_unique<Remote>(kind, ends[0], child);
  if (Status opened = remote->open(text, place); !opened) return opened.error();
  return std::unique_ptr<BackEnd>(std::move(remote));
}

}  // namespace snarl::coseq
