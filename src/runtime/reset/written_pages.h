// Pages that runs write. Each is a page fault, in every copy of the fork server anew; a copy that asks the kernel for
// all of them first takes half the time for it. To be wrong only costs time: a page that is made the copy's own holds
// what it held.
#pragma once

namespace snarl::runtime::written_pages {

// In the server, before a copy that learns.
void list_areas();
// In that copy, at its end.
void note();
// In the server, before any copy.
void take_notes();
// In the copy, before it writes anything.
void ask();

}  // namespace snarl::runtime::written_pages
