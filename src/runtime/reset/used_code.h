// The code that runs use, in pages of this server's own. The kernel maps a file's pages into each copy when it comes to
// them, sixteen at a time, and counts the users of every page, for which servers on different cores wait for each
// other. Pages that the server has written, as it were, come with the copy, and no other process has them.
//
// They hold what they held, at the same addresses, in mappings of the same files.
#pragma once

namespace snarl::runtime::used_code {

// In the server, before a copy that learns.
void list_files();
// In that copy, at its end.
void note();
// In the server, before any copy.
void take_notes();

}  // namespace snarl::runtime::used_code
