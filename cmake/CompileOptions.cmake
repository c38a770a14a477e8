# Options for every file of this project, and for no file of a project that uses it.
add_library(headlight_options INTERFACE)
target_link_libraries(headlight_options INTERFACE nlohmann_json::nlohmann_json)  # not in a public header

# A project without a build type is compiled without optimisation. That is its own choice, but too slow for our
# kernels.
target_compile_options(headlight_options INTERFACE $<$<CONFIG:>:-O3> $<$<CONFIG:>:-DNDEBUG>)
target_compile_options(headlight_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # Vectors are arguments within a file only, so their place in registers or memory is no interface.
  -Wno-psabi
  # Let loops with sqrt and comparisons vectorise. Unlike -ffast-math these keep Inf, NaN and the
  # order of every addition as written.
  -fno-math-errno -fno-trapping-math -fopenmp-simd
  # Only multiply_add (src/engine/core/kernels/vectors.h) fuses a multiply-add, so every compiler gives the same bits.
  -ffp-contract=off)
# The libraries may become part of a plug-in, such as a module of Python. All targets say so, because they share
# precompiled headers. The second flag lets the compiler inline as in a program.
if(NOT CMAKE_CROSSCOMPILING)
  target_compile_options(headlight_options INTERFACE -fPIC -fno-semantic-interposition)
endif()
if(BUILD_SHARED_LIBS)
  message(STATUS "Headlight: its libraries are static, also with BUILD_SHARED_LIBS. They can be linked into a shared library.")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms of g++ 12 and 13 inside std::string, std::regex, fmt and xtensor (GCC bugs 105329, 105562).
  target_compile_options(headlight_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-maybe-uninitialized -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(headlight_options INTERFACE -Wno-array-bounds)  # false alarms inside xtensor, up to g++ 16
endif()
include(CheckCXXCompilerFlag)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # A file can use a precompiled header of another level of optimisation only if these settings are equal; -O2 sets them.
  check_cxx_compiler_flag("-munroll-only-small-loops -mvzeroupper" HEADLIGHT_X86_SETTINGS)
  if(HEADLIGHT_X86_SETTINGS)
    target_compile_options(headlight_options INTERFACE -munroll-only-small-loops -mvzeroupper)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ collects its garbage from 1 GB on, not from 128 MB: files compiled by folder take a tenth less time.
  target_compile_options(headlight_options INTERFACE --param=ggc-min-heapsize=1000000)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A loop marked `omp simd` that clang leaves scalar is slower, not wrong. The page's texts are long.
  target_compile_options(headlight_options INTERFACE -Wno-pass-failed -Wno-overlength-strings)
  # Up to clang 15 a lambda captures a structured binding only as [&x = x], which newer ones call a shadow. g++ looks too.
  target_compile_options(headlight_options INTERFACE -Wno-shadow)
endif()
if(HEADLIGHT_WERROR)
  target_compile_options(headlight_options INTERFACE -Werror)
endif()
# compile_by_folder(target): with HEADLIGHT_TOGETHER the files of a folder are compiled as one, so that shared
# includes are compiled once. A build from nothing takes half the time, a build after a change somewhat longer. The
# files of HEADLIGHT_APART, which tests/mutants/run changes one by one, are compiled alone all the same.
function(compile_by_folder target)
  if(NOT HEADLIGHT_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} "${source}")
    if(name IN_LIST HEADLIGHT_APART)
      continue()
    endif()
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

if(HEADLIGHT_SANITIZE STREQUAL "address")
  # Without the checks of each pointer and reference, which take a third of the time to compile. Address finds null by
  # itself.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size -fno-sanitize-recover=all)
elseif(HEADLIGHT_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(HEADLIGHT_SANITIZE)
  message(FATAL_ERROR "HEADLIGHT_SANITIZE: expected address or thread, got '${HEADLIGHT_SANITIZE}'.")
endif()
if(HEADLIGHT_SANITIZE STREQUAL "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Each check of an address is a call, which takes a fifth less time to compile, except in targets with HEADLIGHT_HOT.
  target_compile_options(headlight_options INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:HEADLIGHT_HOT>>>:--param=asan-instrumentation-with-call-threshold=0>)
endif()
if(HEADLIGHT_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # as g++ says to the sources
  string(TOUPPER ${HEADLIGHT_SANITIZE} kind)
  target_compile_definitions(headlight_options INTERFACE __SANITIZE_${kind}__)
endif()
# How programs and tests are compiled, and the components that work with text and figures. Nothing is hot in them: to
# optimise them takes longer than to run them. With sanitizers clang takes two to three times as long to optimise a file
# as to compile it. It then needs a precompiled header that is not optimised either; g++ takes core's.
set(HEADLIGHT_COLD -Og)
if(CMAKE_SYSTEM_NAME STREQUAL WASI)  # where each instruction takes longer
  set(HEADLIGHT_COLD -O1)
endif()
set(HEADLIGHT_COLD_HEADER core)
if(HEADLIGHT_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(HEADLIGHT_COLD -O0)
  set(HEADLIGHT_COLD_HEADER system)
endif()
if(HEADLIGHT_SANITIZE)
  target_compile_options(headlight_options INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(headlight_options INTERFACE ${sanitizers})
endif()
if(HEADLIGHT_FUZZ)
  # The fuzzer sees which code an input reaches. A size that wraps around is no undefined behaviour, but a wrong size.
  set(except ${PROJECT_SOURCE_DIR}/tests/fuzz/not_instrumented.txt)
  target_compile_options(headlight_options INTERFACE
    -fsanitize=fuzzer-no-link -fsanitize-coverage-ignorelist=${except}
    -fsanitize=unsigned-integer-overflow -fno-sanitize-recover=all -fsanitize-ignorelist=${except})
  target_link_options(headlight_options INTERFACE -fsanitize=unsigned-integer-overflow)
endif()
