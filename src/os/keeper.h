// Nothing that a tested program started outlives us, even if it left its process group (a daemon: fork, setsid, fork),
// and even if we are killed. For that, two processes stay above the one that works:
//
//   front    the process that the user started. It passes signals on, and ends as the worker ended.
//   keeper   the subreaper, in a session of its own. When the worker has ended or the front is gone, it kills all that
//            is left below it, until there is nothing.
//   worker   goes on where the front was.
#pragma once

namespace snarl::os {

// Returns in the worker; the calling process becomes the front, and exits. After SIGTERM, SIGQUIT or SIGHUP the worker
// has 2 s to end by itself, then it is killed. Forks, so call it while this process has one thread, and once. Where no
// process can be made, it returns in the calling process.
void begin_below_keeper();

}  // namespace snarl::os
