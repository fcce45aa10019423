// Whose a variable is. Code that runs inside the tested process has many runs in one process (library mode), and a
// later run must not see what an earlier one has left. So every variable that can change says which it is:
//
//   SNARL_RUN_STATE      of the run: at the beginning of each it may be put back to what it was before the first
//                        (runtime/reset/run_image.h)
//   SNARL_PROCESS_STATE  of the process: what is loaded, open, installed or mapped stays so when a run ends
//   SNARL_LARGE          a table (base/large.h): what earlier runs have left in it stays. A count with a mark says
//                        which entries the run has made, and nobody reads another
//
// tests/architecture/marks.py looks for variables without a mark in the library's symbol table.
#pragma once

// Names that are C identifiers: the linker says where such a section begins and ends.
#define SNARL_RUN_STATE __attribute__((section("snarl_run")))
#define SNARL_PROCESS_STATE __attribute__((section("snarl_process")))
