# Everything that Headlight does not write itself, found where the system has it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(xtensor 0.24 REQUIRED)

# xtensor-blas asks for "a BLAS and a LAPACK"; OpenBLAS is both, and is the one measured. Any other
# serves, more slowly.
if(NOT BLA_VENDOR)
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS QUIET)
  if(NOT BLAS_FOUND)
    message(WARNING "OpenBLAS was not found; falling back to whatever BLAS there is.")
    unset(BLA_VENDOR)
  endif()
endif()
find_package(xtensor-blas 0.20 REQUIRED)

add_library(headlight_dependencies INTERFACE)
target_link_libraries(headlight_dependencies INTERFACE xtensor xtensor-blas fmt::fmt Threads::Threads)

# Their headers are not ours to warn about.
foreach(package xtensor xtensor-blas CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt)
  get_target_property(includes ${package} INTERFACE_INCLUDE_DIRECTORIES)
  if(includes)
    set_target_properties(${package} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${includes}")
  endif()
endforeach()
