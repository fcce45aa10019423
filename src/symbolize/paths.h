// Source and module paths: joining, classifying and shortening. Pure functions
// on text: nothing here looks at the file system. Safe on any thread.
#pragma once

#include <string>
#include <string_view>

namespace snarl::symbolize {

// `path`, put below `directory` if it is relative.
std::string join_path(std::string_view directory, std::string_view path);

// For people: relative to `base_dir` if below it, otherwise the shorter of the absolute path and a path with "..". The
// base name is always kept.
std::string display_path(std::string_view path, std::string_view base_dir);

// A header or source of the C or C++ implementation.
bool is_system_source(std::string_view path);

// libc, the dynamic loader, a C++ runtime library, or snarl's own runtime.
bool is_system_module(std::string_view path);

// Whether it is the program itself or one of its own libraries, rather than one that the system has for all programs.
bool is_own_module(std::string_view path, std::string_view program);

std::string_view base_name(std::string_view path);

}  // namespace snarl::symbolize
