// Where the functions that the user named begin and, where that matters, return. Pure.
#pragma once

#include <map>
#include <span>

#include "scan/code_flow.h"
#include "scan/plan.h"

namespace snarl::scan {

using NamedSites = std::map<uint64_t, wire::Named>;  // by the address of an instruction

// A jump to another function at the end of one counts as its return: what comes after it is not seen. So a function
// that tries to lock and ends like that has no site, because its result is not known there.
NamedSites named_sites(const CodeImage& image, const CodeFlow& flow, std::span<const NamedFunction> functions);

}  // namespace snarl::scan
