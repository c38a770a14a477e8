# What the library takes from elsewhere, found where the system has it. The installed package looks for the same
# (headlight-config.cmake.in).
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a project that embeds this one links to them too
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
set(HEADLIGHT_FMT fmt::fmt)
if(CMAKE_CROSSCOMPILING)
  set(HEADLIGHT_FMT fmt::fmt-header-only)  # the library is for the machine that compiles
endif()
find_package(nlohmann_json 3 REQUIRED)
find_package(xtensor 0.24 REQUIRED)

# OpenBLAS is the one that was measured. Any other serves.
if(HEADLIGHT_BLAS)
  if(NOT BLA_VENDOR)
    set(BLA_VENDOR OpenBLAS)
    find_package(BLAS QUIET)
    if(NOT BLAS_FOUND)
      message(WARNING "OpenBLAS was not found; falling back to whatever BLAS there is.")
      unset(BLA_VENDOR)
    endif()
  endif()
  find_package(BLAS REQUIRED)
endif()
