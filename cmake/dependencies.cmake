# Every outside library the engine uses, found once. tools/install_deps installs them.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(FastFloat REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(pugixml REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)
find_package(HWY NAMES hwy REQUIRED)

# Debian's cpp-httplib is a compiled library without a CMake file; its header must be read with the
# switches it was compiled with (cpp-httplib.pc), or classes have other layouts.
find_path(HTTPLIB_FOLDER httplib.h REQUIRED)
find_library(HTTPLIB_LIBRARY cpp-httplib REQUIRED)
add_library(glassrank_httplib INTERFACE)
target_include_directories(glassrank_httplib SYSTEM INTERFACE ${HTTPLIB_FOLDER})
target_link_libraries(glassrank_httplib INTERFACE ${HTTPLIB_LIBRARY} Threads::Threads)
target_compile_definitions(glassrank_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT
                           CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)

if(GLASSRANK_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
if(GLASSRANK_BENCH)
  find_package(benchmark REQUIRED)
endif()

# Asked for or not: a normal variable hides the one of the cache.
if(GLASSRANK_MPI STREQUAL "AUTO")
  find_package(MPI COMPONENTS C QUIET)
  set(GLASSRANK_MPI ${MPI_C_FOUND})
elseif(GLASSRANK_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
endif()

# Gloo's own CMake file names a target with Debian's folders; header and library are enough.
find_path(GLOO_FOLDER gloo/rendezvous/context.h)
find_library(GLOO_LIBRARY gloo)
if(GLASSRANK_GLOO STREQUAL "AUTO")
  if(GLOO_FOLDER AND GLOO_LIBRARY)
    set(GLASSRANK_GLOO ON)
  else()
    set(GLASSRANK_GLOO OFF)
  endif()
endif()
