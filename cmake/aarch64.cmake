# Cross-compiles for AArch64 with Debian's g++-aarch64-linux-gnu. What Headlight takes from elsewhere is headers then;
# they are those of the machine that compiles.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# CMake looks for packages below the architecture that it compiles for.
foreach(package IN ITEMS fmt xtensor xtl)
  file(GLOB ${package}_DIR /usr/lib/*/cmake/${package})
endforeach()
