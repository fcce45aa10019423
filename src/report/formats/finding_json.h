// A finding as report.json has it (schema snarl.finding/2, docs/formats/report-json.md): all its fields
// (report/finding_fields.h), and beside them the words that follow from them, for readers that only show.
//
// All texts are as the program gave them, control characters included: whoever shows them cleans them
// (report/printable.h). Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/error.h"
#include "report/finding.h"

namespace snarl::report {

constexpr const char* kFindingSchema = "snarl.finding/2";

nlohmann::json to_json(const Finding& finding);

// Checks schema and types; ignores words, and keys that it does not know.
Expected<Finding> finding_from_json(const nlohmann::json& json);

// The text of report.json: indented, invalid UTF-8 replaced.
std::string finding_json_text(const Finding& finding);
Expected<Finding> finding_from_json_text(const std::string& text);

}  // namespace snarl::report
