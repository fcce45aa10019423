#include <cstdlib>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/target/scan_file.h"

namespace snarl::cli {

int scan_verb(const Words& words) {
  if (words.size() != 5) return complain({"--scan is for the runtime only", "snarl help lists the verbs", 2});
  const Expected<std::vector<FunctionRule>> functions = parse_function_rules(words[3], "the runtime");
  if (!functions) return complain(functions.error());
  const Status done =
      explore::scan_file(words[0], std::atoi(words[1].c_str()), words[2], *functions, explore::load_list(words[4]));
  return done ? 0 : complain(done.error());
}

}  // namespace snarl::cli
