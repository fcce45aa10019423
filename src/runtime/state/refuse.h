// The end of a process whose outcome stands in the wire, and the sentence beside it.
#pragma once

namespace snarl::runtime {

// The run has ended, as the wire says: so does the process, at once, unless somebody else is to take over.
[[noreturn]] void end_process();

// Takes over when the process should end with a run: reset rewind. Does not return. Null: the process ends.
extern void (*takes_over)();

// The runtime can't control this program; `why` is a sentence.
[[noreturn]] void refuse(const char* why);

void set_message(const char* text);
void set_assertion(const char* expression, const char* file, unsigned line, const char* function);

}  // namespace snarl::runtime
