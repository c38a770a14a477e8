# The dependencies of the library, as the system provides them. The installed package looks for the same
# dependencies (headlight-config.cmake.in).
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a project that embeds this one links to them too
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
set(HEADLIGHT_FMT fmt::fmt)
if(CMAKE_CROSSCOMPILING)
  set(HEADLIGHT_FMT fmt::fmt-header-only)  # the library is for the machine that compiles
endif()
find_package(nlohmann_json 3 REQUIRED)
find_package(xtensor 0.24 REQUIRED)
# Finds BLAS and LAPACK too. A cross build has no LAPACK, and builds only what trains.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(xtensor-blas 0.20 REQUIRED)
endif()
