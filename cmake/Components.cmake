# The groups of src, each a folder of components. A private header is included by its path within its group.
set(HEADLIGHT_GROUPS engine interpretability application web course)
set(HEADLIGHT_PRIVATE_HEADERS ${PROJECT_SOURCE_DIR}/src)  # for what may include those of every component
foreach(group IN LISTS HEADLIGHT_GROUPS)
  list(APPEND HEADLIGHT_PRIVATE_HEADERS ${PROJECT_SOURCE_DIR}/src/${group})
endforeach()

# add_component(name IN group [FLOAT] [FOLDERS folder...] DEPENDS component...)
#   One static library of src/<group>/<name>/*.cpp and of the folders in it per number type: headlight_<name> (float) and,
#   except with FLOAT, headlight_f64_<name> (double). Both are the same sources. With FOLDERS the sources are those of
#   src/<group>/<folder>/ instead.
function(add_component name)
  cmake_parse_arguments(ARG "FLOAT" "IN" "FOLDERS;DEPENDS" ${ARGN})
  set(sources "")
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${name} ${name}/*)
  endif()
  foreach(folder IN LISTS ARG_FOLDERS)
    file(GLOB of_folder CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${ARG_IN}/${folder}/*.cpp)
    list(APPEND sources ${of_folder})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "_plugin\\.cpp$")
  if(CMAKE_SYSTEM_NAME STREQUAL WASI)  # a page has files; what else it has of a system stands in src/web/solve
    list(FILTER sources EXCLUDE REGEX "_posix\\.cpp$")
    if(name STREQUAL system)
      file(GLOB of_page ${PROJECT_SOURCE_DIR}/src/application/system/*put_file_posix.cpp ${PROJECT_SOURCE_DIR}/src/web/solve/*_wasi.cpp)
      list(APPEND sources ${of_page})
    endif()
  endif()
  if(name STREQUAL "interpret" AND CMAKE_CROSSCOMPILING)  # there is no LAPACK for the other machine; Eigen is headers
    list(FILTER sources EXCLUDE REGEX "/spectrum\\.cpp$")
    list(APPEND sources ${PROJECT_SOURCE_DIR}/src/web/wasm/spectrum_eigen.cpp)
  endif()
  set(prefixes headlight headlight_f64)
  if(ARG_FLOAT)
    set(prefixes headlight)
  endif()
  foreach(prefix IN LISTS prefixes)
    set(component ${prefix}_${name})
    if(PROJECT_IS_TOP_LEVEL)
      add_library(${component} STATIC ${sources})
    else()
      add_library(${component} STATIC EXCLUDE_FROM_ALL ${sources})  # built when something links to it
    endif()
    target_include_directories(${component}
      PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
      PRIVATE ${PROJECT_SOURCE_DIR}/src/${ARG_IN})
    string(REGEX REPLACE "^headlight_" "headlight::" public_name ${component})
    add_library(${public_name} ALIAS ${component})  # headlight::core, headlight::f64_core, …, as when installed
    target_compile_features(${component} PUBLIC cxx_std_20)
    target_link_libraries(${component} PRIVATE $<BUILD_INTERFACE:headlight_options>)
    if(name MATCHES "^(core|autograd|ops)$")
      set_target_properties(${component} PROPERTIES HEADLIGHT_HOT ON)
      _share_precompiled_header(${component} ${prefix}_core)
    else()
      # Elsewhere time goes into the operations that are called. Only optimizers have loops of their own that take time.
      set(level ${HEADLIGHT_COLD})
      if(name STREQUAL "optim" AND prefix STREQUAL headlight AND NOT HEADLIGHT_SANITIZE)
        set(level -O3)
      elseif(name MATCHES "^(interpret|nn|optim|tasks|train)$" AND NOT HEADLIGHT_SANITIZE)
        set(level -O1)
      endif()
      target_compile_options(${component} PRIVATE ${level})
      _share_precompiled_header(${component} ${prefix}_${HEADLIGHT_COLD_HEADER})
    endif()
    foreach(below IN LISTS ARG_DEPENDS)
      target_link_libraries(${component} PUBLIC ${prefix}_${below})
    endforeach()
    if(name STREQUAL "core")
      _core_is_special(${component})
    endif()
    compile_by_folder(${component})
  endforeach()
  if(name STREQUAL "core")
    # The names of the double library are in another namespace (core/real.h).
    target_compile_definitions(headlight_f64_core PUBLIC HEADLIGHT_DOUBLE=1 headlight=headlight_f64)
    _one_number_type_per_program(headlight_core float)
    _one_number_type_per_program(headlight_f64_core double)
    add_levels(headlight_core)
    add_levels(headlight_f64_core)
  endif()
  if(name STREQUAL "core" AND HEADLIGHT_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Matrix products take most of the tests' time there, and three times as long unless their loops are unrolled.
    target_compile_options(headlight_core PRIVATE -O2)
  endif()
  if(name STREQUAL "interpret" AND NOT CMAKE_CROSSCOMPILING)
    target_link_libraries(headlight_interpret PRIVATE xtensor-blas)
    target_link_libraries(headlight_f64_interpret PRIVATE xtensor-blas)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/interpretability/heads/spectrum.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# The dependencies, which every component gets from the lowest one.
function(_core_is_special core)
  target_link_libraries(${core} PUBLIC xtensor ${HEADLIGHT_FMT} Threads::Threads)
  # clang 19 and later match templates by a newer rule, with which xtensor 0.24 and 0.25 do not compile.
  if(xtensor_VERSION VERSION_LESS 0.26)
    target_compile_options(${core} PUBLIC
      "$<$<AND:$<CXX_COMPILER_ID:Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,19>>:-fno-relaxed-template-template-args;-Wno-deprecated-no-relaxed-template-template-args>")
  endif()
  # An index out of range is an error then, also in the code of who links to the library.
  target_compile_definitions(${core} PUBLIC $<$<CONFIG:Debug>:XTENSOR_ENABLE_ASSERT>)
endfunction()

# xtensor's headers take 0.6 s to parse; every component reuses one compiled copy per number type.
function(_share_precompiled_header target owner)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE
      <functional> <memory> <string> <vector> ${PROJECT_SOURCE_DIR}/include/headlight/core/array.h)
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# float and double builds define the same names: a program that links both would mix them up
# silently. CMake refuses it because the two disagree on this property.
function(_one_number_type_per_program target real)
  set_target_properties(${target} PROPERTIES
    INTERFACE_HEADLIGHT_REAL ${real} COMPATIBLE_INTERFACE_STRING HEADLIGHT_REAL)
endfunction()

# add_whole_library(top top_in_double): all components together, headlight::headlight in float and headlight::f64 in double.
function(add_whole_library top top_in_double)
  add_library(headlight INTERFACE)
  target_link_libraries(headlight INTERFACE headlight_${top} headlight_ranks)
  add_library(headlight::headlight ALIAS headlight)
  add_library(headlight_f64 INTERFACE)
  target_link_libraries(headlight_f64 INTERFACE headlight_f64_${top_in_double} headlight_f64_draw)
  add_library(headlight::f64 ALIAS headlight_f64)
endfunction()

# add_generated_source(<component> <target> <file>...): compiles sources that the custom target makes into each library of a
#   component. They are compiled once for each number type, because their names are in the namespace of that type.
function(add_generated_source name target)
  foreach(component IN ITEMS headlight_${name} headlight_f64_${name})
    if(TARGET ${component})
      set_source_files_properties(${ARGN} TARGET_DIRECTORY ${component} PROPERTIES GENERATED TRUE)
      target_sources(${component} PRIVATE ${ARGN})
      add_dependencies(${component} ${target})
    endif()
  endforeach()
endfunction()
