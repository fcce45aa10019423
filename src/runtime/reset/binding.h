// What copies of the fork server would all do anew: look up the functions that the program's files call.
#pragma once

namespace snarl::runtime {

// Writes into the tables of calls (GOT) of the files that are loaded since the start what the dynamic loader would find
// at the first call of each. What it would not find, or what is unusual, is left to it. Before main, while one thread
// lives.
void bind_calls();

}  // namespace snarl::runtime
