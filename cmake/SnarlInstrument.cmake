# Builds a project so that its memory accesses, atomic operations and function entries are schedule points.
#
# As a toolchain file, for the whole project:
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/snarl/SnarlInstrument.cmake ..
# or for some targets only, after include():
#   target_link_libraries(my_test PRIVATE snarl::instrument)
#
# SNARL_EXECUTABLE names the program `snarl` if it is not found by itself.
if(NOT SNARL_EXECUTABLE)
  find_program(SNARL_EXECUTABLE NAMES snarl
    HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../bin" NO_CMAKE_FIND_ROOT_PATH)
endif()

# A toolchain file is read before any language is there.
get_property(_snarl_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT _snarl_languages OR _snarl_languages STREQUAL "NONE")
  # CMake wants one word for the compiler, and takes more of them as its first arguments.
  set(CMAKE_C_COMPILER "${SNARL_EXECUTABLE}" cc)
  set(CMAKE_CXX_COMPILER "${SNARL_EXECUTABLE}" c++)
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SNARL_EXECUTABLE)
  return()
endif()

if(NOT TARGET snarl::instrument)
  get_filename_component(_snarl_bin "${SNARL_EXECUTABLE}" DIRECTORY)
  find_file(SNARL_HOOKS NAMES libsnarl_tsan.a PATHS "${_snarl_bin}/../lib/snarl" "${_snarl_bin}/../lib" NO_DEFAULT_PATH)
  add_library(snarl::instrument INTERFACE IMPORTED)
  # The flag is for the compiler only: at the link it would bring in the compiler's own runtime.
  set_target_properties(snarl::instrument PROPERTIES
    INTERFACE_COMPILE_OPTIONS "-fsanitize=thread;-g;$<$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>:-Wno-tsan;-fno-builtin-memcpy;-fno-builtin-memmove;-fno-builtin-memset>;$<$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>:-fno-vectorize;-fno-slp-vectorize>"
    INTERFACE_LINK_OPTIONS "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp,--wrap=strlen,--wrap=strcpy,--wrap=strncpy,--wrap=strcmp,--wrap=__cxa_guard_acquire,--wrap=__cxa_guard_release"
    INTERFACE_LINK_LIBRARIES "${SNARL_HOOKS};pthread")
endif()
