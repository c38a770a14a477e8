# The exercises in a page: Debian's clang-19 and lld-19 with the standard library that the page's own compiler has, which
# src/web/solve/make lays into HEADLIGHT_WASI.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasip1)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # a program would need what the page provides
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEADLIGHT_WASI)
set(CMAKE_CXX_FLAGS_INIT "-nostdinc++ -nostdlibinc -isystem ${HEADLIGHT_WASI}/include/c++/v1 -isystem ${HEADLIGHT_WASI}/include/wasm32-wasip1 -isystem ${HEADLIGHT_WASI}/headers -fwasm-exceptions -msimd128 -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID -Wno-#warnings")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
foreach(package IN ITEMS fmt xtensor xtl)
  file(GLOB ${package}_DIR /usr/lib/*/cmake/${package})
endforeach()
set(CMAKE_PROJECT_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
set(CMAKE_EXE_LINKER_FLAGS_INIT "--sysroot=${HEADLIGHT_WASI} -nodefaultlibs -Wl,-z,stack-size=8388608,--stack-first")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lc++ -lc++abi -lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-getpid -lc ${HEADLIGHT_WASI}/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a")
set(CMAKE_HAVE_LIBC_PTHREAD TRUE CACHE INTERNAL "")  # threads have their names there, and none can be started
