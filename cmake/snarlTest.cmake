# Tests under snarl.
#
#   snarl_add_test(NAME name COMMAND program [arg...] [FOR 5s] [SCHEDULES n] [POLICY p...] [OPTIONS word...])
#     A CTest test that runs an ordinary program, with threads and unchanged, under many schedules.
#   snarl_discover_tests(target [FOR ...] [SCHEDULES ...] [POLICY ...] [OPTIONS ...] [DISCOVER word...])
#     The same for every test of a GoogleTest program: gtest_discover_tests with snarl as the launcher. DISCOVER is
#     passed on to it. Not for programs whose tests are SNARL_TESTs: these need no launcher.
#
# SNARL_EXECUTABLE is the tool, set by find_package(snarl). Both need no change in the program; a test without threads passes or fails as it would.
include_guard(GLOBAL)

# Sets `result` to the command line in front of the program's.
function(_snarl_launcher result)
  cmake_parse_arguments(arg "" "FOR;SCHEDULES" "POLICY;OPTIONS" ${ARGN})
  if(NOT SNARL_EXECUTABLE)
    set(SNARL_EXECUTABLE "${snarl_BINARY_DIR}/bin/snarl")  # a part of this project
  endif()
  set(words "${SNARL_EXECUTABLE}" run --launcher)
  if(arg_FOR)
    list(APPEND words -t "${arg_FOR}")
  endif()
  if(arg_SCHEDULES)
    list(APPEND words -n "${arg_SCHEDULES}")
  endif()
  foreach(policy IN LISTS arg_POLICY)
    list(APPEND words -p "${policy}")
  endforeach()
  set(${result} ${words} ${arg_OPTIONS} -- PARENT_SCOPE)
endfunction()

function(snarl_add_test)
  cmake_parse_arguments(test "" "NAME;FOR;SCHEDULES" "COMMAND;POLICY;OPTIONS" ${ARGN})
  if(NOT test_NAME OR NOT test_COMMAND)
    message(FATAL_ERROR "snarl_add_test: NAME and COMMAND are needed")
  endif()
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "snarl_add_test(${test_NAME}): what is '${test_UNPARSED_ARGUMENTS}'?")
  endif()
  list(POP_FRONT test_COMMAND program)
  if(TARGET "${program}")
    set(program "$<TARGET_FILE:${program}>")
  endif()
  _snarl_launcher(launcher FOR ${test_FOR} SCHEDULES ${test_SCHEDULES} POLICY ${test_POLICY} OPTIONS ${test_OPTIONS})
  add_test(NAME "${test_NAME}" COMMAND ${launcher} "${program}" ${test_COMMAND})
endfunction()

# Since CMake 3.29 a target has a launcher for its tests; before, what runs a program of another machine does the same.
function(snarl_discover_tests target)
  cmake_parse_arguments(test "" "FOR;SCHEDULES" "POLICY;OPTIONS;DISCOVER" ${ARGN})
  include(GoogleTest)
  _snarl_launcher(launcher FOR ${test_FOR} SCHEDULES ${test_SCHEDULES} POLICY ${test_POLICY} OPTIONS ${test_OPTIONS})
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29)
    set_target_properties(${target} PROPERTIES TEST_LAUNCHER "${launcher}")
  else()
    set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR "${launcher}")
  endif()
  gtest_discover_tests(${target} ${test_DISCOVER})
endfunction()
