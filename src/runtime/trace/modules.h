// The list of loaded files in the wire: addresses mean nothing without it.
#pragma once

#include <link.h>

#include <cstdint>

#include "schedule/shared_place.h"
#include "wire/layout.h"

namespace snarl::runtime {

// Those that are loaded now; not from a signal handler.
void list_modules();

// What the loader says of a file.
void describe_module(wire::Module& module, const dl_phdr_info& info);

// The one that holds this address, if it was loaded since; null: it was there, or there is none.
const wire::Module* list_module_of(uint64_t pc);

// The same place in every process; false: the address is in none of them.
bool find_place(uint64_t address, SharedPlace& place);

// All that were loaded since; not from a signal handler.
void list_new_modules();

// Is it in our own code or data? May be called from a signal handler.
bool is_in_runtime(uint64_t address);

// A name for an address inside one of them, the same in every process; 0: it is in none.
uint64_t static_name(uint64_t address);
// The same for a place in the code: a library that was loaded meanwhile is listed first.
uint64_t place_name(uint64_t address);

}  // namespace snarl::runtime
