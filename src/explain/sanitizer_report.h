// What a sanitizer of the compiler (ASan, UBSan) says of a run that it has ended (runtime/hooks/sanitizers).
//
// The runtime tells what the error is called; where memory was freed and allocated stands only in the report that the
// sanitizer writes to stderr. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"
#include "report/finding.h"

namespace snarl::explain {

// Did a sanitizer end it?
bool is_sanitizers(const record::RunRecord& record);

// "heap-use-after-free"; of a message of the runtime's.
std::string sanitizer_error(std::string_view message);

// What makes two of its errors different, besides their stacks: the error, and UBSan's place.
std::string sanitizer_identity(std::string_view message);

// Who freed and allocated the memory, as ASan's report has it. Paths are shown relative to `directory`.
std::vector<report::FindingDeed> sanitizer_deeds(std::string_view report, const std::string& directory);

// The report without the dump of ASan's own memory.
std::string without_shadow(const std::string& report);

}  // namespace snarl::explain
