#include <cstdlib>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/scan_file.h"

namespace snarl {

int scan_verb(const Words& words) {
  if (words.size() != 3) return complain({"--scan is for the runtime only", "snarl help lists the verbs", 2});
  const Status done = scan_file(words[0], std::atoi(words[1].c_str()), words[2]);
  return done ? 0 : complain(done.error());
}

}  // namespace snarl
