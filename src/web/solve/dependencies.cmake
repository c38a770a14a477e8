# fmt as headers: the package of this machine is one for its size of pointers.
add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
add_library(fmt::fmt-header-only INTERFACE IMPORTED GLOBAL)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
# What the packages of headers name besides stands in HEADLIGHT_WASI; the rest of /usr/include is for this machine.
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
