#include "cli/lost_finding.h"

#include "cli/terminal.h"
#include "report/text/finding.h"

namespace snarl::cli {

std::string lost_finding_text(const report::Found& found, const report::TextOptions& options) {
  report::Finding finding = found.finding;
  finding.folder.clear();
  finding.commands.clear();
  return report::finding_text(finding, options) +
         "\nThis finding could not be stored. With the lines below as FILE, snarl replay FILE -- PROGRAM repeats "
         "it:\n\n" +
         printable_line(found.evidence.schedule) + "\n";
}

}  // namespace snarl::cli
