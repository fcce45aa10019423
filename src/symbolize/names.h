// Function names for people. Pure functions on text; safe on any thread.
#pragma once

#include <string>
#include <string_view>

namespace snarl::symbolize {

// The C++ name behind a linker symbol; the symbol itself if it isn't mangled.
std::string demangle(const char* symbol);

// A demangled name without return type, template arguments, parameters and
// anonymous namespaces: `transfer`, `Account::withdraw`, `main::{lambda}`.
// A "+0x1f" at the end stays.
std::string short_function_name(std::string_view demangled);

// A variable as its author calls it: "checking.mutex" for "checking.mutex.std::mutex::_M_mutex". Empty for a variable
// of the implementation, which nobody knows by name.
std::string short_variable_name(std::string name);

// The same text without "(anonymous namespace)::".
std::string without_anonymous(std::string_view name);

// A name that belongs to the implementation: std::..., __gnu_cxx::..., __name.
bool is_system_function(std::string_view short_name);

}  // namespace snarl::symbolize
