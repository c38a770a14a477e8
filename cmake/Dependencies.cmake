# The dependencies of the library, as the system provides them; of those that a project often has itself, its own
# targets are used. The installed package looks for the same dependencies (headlight-config.cmake.in).
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a project that embeds this one links to them too
find_package(Threads REQUIRED)
if(NOT TARGET fmt::fmt)
  find_package(fmt REQUIRED)
endif()
# Linux installs libraries for the machine that compiles and for libstdc++; neither a cross build nor code with libc++
# can link to them.
set(HEADLIGHT_LIBCXX OFF)
if(CMAKE_CXX_FLAGS MATCHES "-stdlib=libc[+][+]")
  set(HEADLIGHT_LIBCXX ON)
endif()
set(HEADLIGHT_FMT fmt::fmt)
if(CMAKE_CROSSCOMPILING OR HEADLIGHT_LIBCXX OR HEADLIGHT_ARCHIVE)
  set(HEADLIGHT_FMT fmt::fmt-header-only)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  find_package(nlohmann_json 3 REQUIRED)
endif()
find_package(xtensor 0.24 REQUIRED)
# Finds BLAS and LAPACK too. A cross build has no LAPACK; a project that embeds this one may have none, and builds only
# what trains.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
  find_package(xtensor-blas 0.20 REQUIRED)
elseif(NOT CMAKE_CROSSCOMPILING)
  find_package(xtensor-blas 0.20 QUIET)
  if(NOT xtensor-blas_FOUND)
    message(STATUS "Headlight: no xtensor-blas with BLAS and LAPACK, so only core, system, draw, autograd, ops, nn, optim, tasks, train and ranks can be linked.")
  endif()
endif()
if(HEADLIGHT_ARCHIVE)
  # The reference LAPACK as archives, with what Fortran needs, in place of the libraries that CMake finds.
  set(lapack "")
  foreach(library IN ITEMS lapack/liblapack.a blas/libblas.a libgfortran.a libquadmath.a)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${library} is missing. Debian has it in liblapack-dev, libblas-dev and libgfortran-12-dev (with the number of g++).")
    endif()
    list(APPEND lapack ${file})
  endforeach()
  set(LAPACK_FILES "${lapack}" CACHE INTERNAL "")  # for src/application/package/run
  set_property(TARGET xtensor-blas PROPERTY INTERFACE_LINK_LIBRARIES xtensor ${lapack})
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--build-id=none)
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
# For the programs, and for headlight::app, which is left out where it is missing.
if(HEADLIGHT_APP OR HEADLIGHT_TESTS)
  find_package(CLI11 2 REQUIRED)
else()
  find_package(CLI11 2 QUIET)
endif()
