# The project's own target functions. Every folder of src/ uses these and nothing else:
#
#   snarl_library(report SOURCES json.cc text.cc DEPENDS base schedule_core LINK nlohmann_json::nlohmann_json)
#   snarl_inside_library(policy SOURCES pct.cc DEPENDS schedule_core)
#   snarl_inside_objects(runtime SOURCES hooks.cc DEPENDS conduct wire)        linked whole into what depends on it
#   snarl_inside_shared(rt SOURCES start.cc DEPENDS runtime LINK dl)           -> lib/libsnarl_rt.so
#   snarl_executable(snarl SOURCES main.cc DEPENDS explore report)             -> bin/snarl
#   snarl_test(pct_test SOURCES pct_test.cc DEPENDS policy virtual)            -> one ctest entry
#
# The first argument is the name (the keyword NAME before it is optional). DEPENDS names snarl libraries without
# their prefix; LINK is passed to the linker as it is (dw, fmt::fmt, PkgConfig::libdw, Threads::Threads).
# A library without SOURCES is header-only. Includes are written from src/: #include "base/error.h".

# install(), unless snarl is a part of another project, whose installed files are its own.
macro(snarl_install)
  if(SNARL_INSTALL)
    install(${ARGV})
  endif()
endmacro()

# Every target of ours, C and C++.
# A designated initialiser leaves out what has its default; gcc sees none in an anonymous union that has one.
add_library(snarl_warnings INTERFACE)
target_compile_options(snarl_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<BOOL:${SNARL_WERROR}>:-Werror>)

# Code of the host side: sanitized if the preset says so.
add_library(snarl_host_flags INTERFACE)
target_link_libraries(snarl_host_flags INTERFACE snarl_warnings)
if(SNARL_SANITIZE)
  # Where checks are added, gcc takes values that are read and masked out for used ones (base/thread_set.h).
  target_compile_options(snarl_host_flags INTERFACE
    -fsanitize=${SNARL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-uninitialized -Wno-maybe-uninitialized)
  target_link_options(snarl_host_flags INTERFACE -fsanitize=${SNARL_SANITIZE})
endif()

# Code that runs inside the tested process: alone there, so it brings no runtime support along and is never sanitized.
add_library(snarl_inside_flags INTERFACE)
target_link_libraries(snarl_inside_flags INTERFACE snarl_warnings)
target_compile_options(snarl_inside_flags INTERFACE
  -fvisibility=hidden -fno-stack-protector -fno-sanitize=all -mpopcnt -O3
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)

# Small objects are made and copied by a few plain stores: string instructions take longer to start than that, and
# pairs of words that are put together as vectors in memory make the processor wait.
target_compile_options(snarl_inside_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
  $<$<CXX_COMPILER_ID:GNU>:-mmemset-strategy=vector_loop:512:noalign,rep_8byte:-1:noalign>
  $<$<CXX_COMPILER_ID:GNU>:-mmemcpy-strategy=vector_loop:512:noalign,rep_8byte:-1:noalign>)
target_link_options(snarl_inside_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
  $<$<CXX_COMPILER_ID:GNU>:-mmemset-strategy=vector_loop:512:noalign,rep_8byte:-1:noalign>
  $<$<CXX_COMPILER_ID:GNU>:-mmemcpy-strategy=vector_loop:512:noalign,rep_8byte:-1:noalign>)

# A schedule point passes through a dozen small files of the runtime, which are optimised as one where the compiler can.
include(CheckIPOSupported)
check_ipo_supported(RESULT SNARL_INSIDE_AS_ONE OUTPUT _ignored LANGUAGES C CXX)
# Tests link such files, too. gcc sees by itself that they hold no machine code yet; clang must be told.
if(SNARL_INSIDE_AS_ONE)
  target_link_options(snarl_inside_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-flto=thin>)
endif()

# Splits the arguments of the functions below into arg_NAME, arg_SOURCES, arg_DEPENDS, arg_LINK, arg_LABELS.
macro(_snarl_arguments function)
  set(_arguments ${ARGN})
  list(POP_FRONT _arguments arg_NAME)
  if(arg_NAME STREQUAL "NAME")
    list(POP_FRONT _arguments arg_NAME)
  endif()
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LINK;LABELS" ${_arguments})
  if(NOT arg_NAME)
    message(FATAL_ERROR "${function}: a name is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${arg_NAME}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
endmacro()

# One static library `target`; `suffix` picks the variant of the libraries that it depends on.
function(_snarl_static target flags suffix sources depends link)
  list(TRANSFORM depends REPLACE "(.+)" "snarl_\\1${suffix}")
  if(sources)
    add_library(${target} STATIC ${sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PRIVATE ${flags} PUBLIC ${depends} ${link})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${depends} ${link})
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/src")
  endif()
endfunction()

function(_snarl_remember name)
  set_property(GLOBAL APPEND PROPERTY SNARL_LIBRARIES ${name})
endfunction()

# A library of the host side: target snarl_<name>.
function(snarl_library)
  _snarl_arguments(snarl_library ${ARGN})
  _snarl_static(snarl_${arg_NAME} snarl_host_flags "" "${arg_SOURCES}" "${arg_DEPENDS}" "${arg_LINK}")
  _snarl_remember(${arg_NAME})
endfunction()

# A library that both sides use, built twice: snarl_<name> for host tools and tests (sanitized if configured), and
# snarl_<name>_inside for the runtime. It may depend on other inside libraries only.
function(snarl_inside_library)
  _snarl_arguments(snarl_inside_library ${ARGN})
  if(arg_LINK)
    message(FATAL_ERROR "snarl_inside_library(${arg_NAME}): code inside the tested process links no other library")
  endif()
  _snarl_static(snarl_${arg_NAME} snarl_host_flags "" "${arg_SOURCES}" "${arg_DEPENDS}" "")
  _snarl_static(snarl_${arg_NAME}_inside snarl_inside_flags "_inside" "${arg_SOURCES}" "${arg_DEPENDS}" "")
  if(arg_SOURCES)
    set_target_properties(snarl_${arg_NAME}_inside PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${SNARL_INSIDE_AS_ONE})
  endif()
  _snarl_remember(${arg_NAME})
endfunction()

# Code inside the tested process whose every file matters (hooks are called by name): object files, not an archive.
function(snarl_inside_objects)
  _snarl_arguments(snarl_inside_objects ${ARGN})
  list(TRANSFORM arg_DEPENDS REPLACE "(.+)" "snarl_\\1_inside")
  add_library(snarl_${arg_NAME}_inside OBJECT ${arg_SOURCES})
  set_target_properties(snarl_${arg_NAME}_inside PROPERTIES
    POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION ${SNARL_INSIDE_AS_ONE})
  target_link_libraries(snarl_${arg_NAME}_inside PRIVATE snarl_inside_flags PUBLIC ${arg_DEPENDS})
  target_include_directories(snarl_${arg_NAME}_inside PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
endfunction()

# The preloaded library: target snarl_<name>, lib/libsnarl_<name>.so. libstdc++ is inside it, static and hidden, so
# that it never meets the tested program's own.
function(snarl_inside_shared)
  _snarl_arguments(snarl_inside_shared ${ARGN})
  list(TRANSFORM arg_DEPENDS REPLACE "(.+)" "snarl_\\1_inside")
  add_library(snarl_${arg_NAME} SHARED ${arg_SOURCES})
  set_target_properties(snarl_${arg_NAME} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${SNARL_INSIDE_AS_ONE})
  target_link_libraries(snarl_${arg_NAME} PRIVATE snarl_inside_flags ${arg_DEPENDS} ${arg_LINK})
  target_include_directories(snarl_${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_options(snarl_${arg_NAME} PRIVATE
    -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,-z,now)
endfunction()

# A program: target and file <name>.
function(snarl_executable)
  _snarl_arguments(snarl_executable ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND "snarl_")
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE snarl_host_flags ${arg_DEPENDS} ${arg_LINK})
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${arg_NAME} PRIVATE SNARL_VERSION="${PROJECT_VERSION}")
endfunction()

# A GoogleTest program, one ctest entry. LABELS: unit (the default), e2e, real, long. TIMEOUT: seconds, 300 by default.
function(snarl_test)
  if(NOT BUILD_TESTING)
    return()
  endif()
  _snarl_arguments(snarl_test ${ARGN})
  snarl_executable(${arg_NAME} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS}
    LINK ${arg_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit")
  # GoogleTest's headers are most of what a test compiles: once for all of them.
  if(NOT TARGET snarl_test_headers)
    snarl_executable(snarl_test_headers SOURCES "${PROJECT_SOURCE_DIR}/cmake/test_headers.cc"
      LINK GTest::gmock GTest::gtest GTest::gtest_main)
    target_precompile_headers(snarl_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    set_target_properties(snarl_test_headers PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit")
  endif()
  target_precompile_headers(${arg_NAME} REUSE_FROM snarl_test_headers)
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
