# glassrank_module(<name> [GROUPED] [SOURCES a.cpp ...] [COLD b.cpp ...] [DEPENDS lib ...]
#                  [PRIVATE_DEPENDS lib ...] [TESTS a_test.cpp ...])
#
# One folder, one module, one target: defines glassrank_<name> and, with tests on, the program
# <name>_test from the module's *_test.cpp files, registered with CTest.
# COLD are sources that no loop over rows, cells or trees runs through: parameters, results, texts,
# files of models, reports. They are optimised less and compiled several at a time, which takes half
# the time. What is measured in bench/ belongs to SOURCES.
# GROUPED compiles SOURCES several at a time too, as well optimised as alone; kernels stay alone,
# since their file is read once for every instruction set.
# DEPENDS are seen by users of the module's headers, PRIVATE_DEPENDS only by its sources.

add_library(glassrank_flags INTERFACE)
target_compile_options(glassrank_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion
                       -Wno-sign-conversion -Wno-missing-field-initializers -Werror)
# libstdc++ 12 itself uses a deprecated function in std::stable_sort, and clang tells us.
target_compile_options(glassrank_flags INTERFACE
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# Contracting a*b+c into one rounding would make results depend on the compiler's mood.
target_compile_options(glassrank_flags INTERFACE -ffp-contract=off)
# In precompiled system headers, and in sanitized code, gcc 12 warns of what it wrongly believes
# std::string and std::regex do.
if((GLASSRANK_PCH OR GLASSRANK_SANITIZE) AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(glassrank_flags INTERFACE -Wno-array-bounds -Wno-restrict
                         -Wno-stringop-overflow -Wno-maybe-uninitialized)
endif()
if(GLASSRANK_SANITIZE)
  target_compile_options(glassrank_flags INTERFACE -fsanitize=${GLASSRANK_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(glassrank_flags INTERFACE -fsanitize=${GLASSRANK_SANITIZE})
endif()
if(GLASSRANK_FUZZ)
  target_compile_options(glassrank_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Headers that many sources include are compiled once for hot code, once for cold code, once for the
# tests: half the time of a build. GLASSRANK_PCH=OFF where a compiler cache does better, and
# where every source shall be seen to include what it uses.
#
# glassrank_precompile(<target> <engine|cold|tests> [library...])
function(glassrank_precompile target headers)
  if(NOT GLASSRANK_PCH)
    return()
  endif()
  set(shared glassrank_${headers}_headers)
  if(NOT TARGET ${shared})
    file(WRITE ${CMAKE_BINARY_DIR}/headers/${headers}.cpp "")
    add_library(${shared} OBJECT ${CMAKE_BINARY_DIR}/headers/${headers}.cpp)
    target_include_directories(${shared} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${shared} PRIVATE glassrank_flags ${ARGN})
    get_target_property(is_library ${target} POSITION_INDEPENDENT_CODE)
    set_target_properties(${shared} PROPERTIES POSITION_INDEPENDENT_CODE ${is_library})
    get_target_property(options ${target} COMPILE_OPTIONS)
    if(options)
      target_compile_options(${shared} PRIVATE ${options})
    endif()
    target_precompile_headers(${shared} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/${headers}_headers.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()

# Code that is never hot: a third less time to compile.
function(glassrank_optimise_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Compiles sources in groups of eight, so that headers are read once a group. The sources of a group
# share one anonymous namespace: two functions of one name and type there are an error.
# GLASSRANK_UNITY=OFF compiles every source alone, as the presets dev and lint do.
function(glassrank_compile_in_groups target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GLASSRANK_UNITY}
                        UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# Kernels among the sources are not put into groups.
function(glassrank_keep_kernels_alone)
  foreach(source ${ARGN})
    file(STRINGS ${source} found REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
    if(found)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

function(glassrank_module name)
  cmake_parse_arguments(M "GROUPED" "" "SOURCES;COLD;DEPENDS;PRIVATE_DEPENDS;TESTS" ${ARGN})
  add_library(glassrank_${name} STATIC ${M_SOURCES})
  set_target_properties(glassrank_${name} PROPERTIES LINKER_LANGUAGE CXX)
  set(targets glassrank_${name})
  if(M_GROUPED)
    glassrank_compile_in_groups(glassrank_${name})
    glassrank_keep_kernels_alone(${M_SOURCES})
  endif()
  if(M_COLD)
    add_library(glassrank_${name}_cold OBJECT ${M_COLD})
    target_sources(glassrank_${name} PRIVATE $<TARGET_OBJECTS:glassrank_${name}_cold>)
    glassrank_optimise_less(glassrank_${name}_cold)
    glassrank_compile_in_groups(glassrank_${name}_cold)
    list(APPEND targets glassrank_${name}_cold)
  endif()
  foreach(target ${targets})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
    target_link_libraries(${target} PUBLIC ${M_DEPENDS}
                          PRIVATE glassrank_flags ${M_PRIVATE_DEPENDS})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
  if(M_SOURCES)
    glassrank_precompile(glassrank_${name} engine fmt::fmt)
  endif()
  if(M_COLD)
    glassrank_precompile(glassrank_${name}_cold cold fmt::fmt nlohmann_json::nlohmann_json)
  endif()
  if(GLASSRANK_TESTS AND M_TESTS)
    glassrank_test(${name}_test SOURCES ${M_TESTS} DEPENDS glassrank_${name} ${M_PRIVATE_DEPENDS})
  endif()
endfunction()

# glassrank_test(<name> SOURCES ... DEPENDS ...): a GoogleTest program; each test is a CTest case.
function(glassrank_test name)
  cmake_parse_arguments(T "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE ${T_DEPENDS} glassrank_testing glassrank_test_main glassrank_flags
                        GTest::gtest rapidcheck)
  glassrank_optimise_less(${name})
  glassrank_precompile(${name} tests fmt::fmt GTest::gtest rapidcheck)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  # Property tests draw the same cases every time; without this, running the program draws new ones.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "RC_PARAMS=seed=2026")
endfunction()
