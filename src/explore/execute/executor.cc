#include "explore/execute/executor.h"

#include <algorithm>
#include <cmath>

#include "os/system.h"

namespace snarl::explore {

void wait_for_events(std::vector<pollfd>& fds, double wake_at) {
  const double wait = std::clamp(wake_at - os::now_seconds(), 0.0, 3600.0);
  timespec time{};
  time.tv_sec = static_cast<time_t>(wait);
  time.tv_nsec = static_cast<long>((wait - std::floor(wait)) * 1e9);
  ppoll(fds.data(), fds.size(), &time, nullptr);
}

bool Stop::is_late() const { return os::now_seconds() >= at; }

Expected<record::RunRecord> run_to_end(Executor& executor, RunOrder order, const Stop& stop) {
  const Status begun = executor.begin(std::move(order));
  if (!begun) return begun.error();
  for (;;) {
    std::vector<pollfd> fds{{stop.fd, POLLIN, 0}};  // poll ignores negative descriptors
    executor.add_to(fds);
    wait_for_events(fds, std::min(executor.wake_at(), stop.at));
    if (fds[0].revents != 0) {
      executor.abandon();
      return Error{"interrupted", {}, 130};
    }
    Expected<std::optional<Came>> done = executor.advance();
    if (!done) return done.error();
    if (done->has_value()) return std::move(*(*done)->record);
    if (stop.is_late()) {
      executor.abandon();
      return Error{"the time for it was over"};
    }
  }
}

}  // namespace snarl::explore
