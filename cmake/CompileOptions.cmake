# Options that hold for every file of the project.
add_library(headlight_options INTERFACE)

target_compile_options(headlight_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # Let loops with sqrt and comparisons vectorise. Unlike -ffast-math these keep Inf, NaN and the
  # order of every addition as written; `#pragma omp simd` marks the sums that may be reordered.
  -fno-math-errno -fno-trapping-math -fopenmp-simd)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms of g++ 12 and 13 inside std::string, std::regex, fmt and xtensor (GCC bugs 105329, 105562).
  target_compile_options(headlight_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A loop marked `omp simd` that clang leaves scalar is slower, not wrong.
  target_compile_options(headlight_options INTERFACE -Wno-pass-failed)
endif()
if(HEADLIGHT_WERROR)
  target_compile_options(headlight_options INTERFACE -Werror)
endif()
if(HEADLIGHT_NATIVE)
  target_compile_options(headlight_options INTERFACE -march=native)
endif()
if(HEADLIGHT_SANITIZE)
  target_compile_options(headlight_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(headlight_options INTERFACE -fsanitize=address,undefined)
endif()
