# The kernels (src/engine/core/kernels) are compiled once for each level of x86-64, and src/engine/core/level.cpp chooses between them:
# the baseline, with the other sources of the core; v3, which has AVX2; and v4, which has AVX-512. Other processors have
# the baseline only.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-march=x86-64-v4 HEADLIGHT_X86_LEVELS)

# add_levels(core): adds the kernels of the levels above the baseline to a library, and makes its level.cpp choose.
function(add_levels core)
  if(NOT HEADLIGHT_X86_LEVELS)
    return()
  endif()
  file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/engine/core/kernels/*.cpp)
  foreach(level IN ITEMS v3 v4)
    add_library(${core}_${level} OBJECT EXCLUDE_FROM_ALL ${kernels})
    target_include_directories(${core}_${level} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/engine)
    target_link_libraries(${core}_${level} PRIVATE headlight_options)
    target_compile_options(${core}_${level} PRIVATE -march=x86-64-${level} $<TARGET_PROPERTY:${core},COMPILE_OPTIONS>)
    target_compile_definitions(${core}_${level} PRIVATE this_level=${level} $<TARGET_PROPERTY:${core},COMPILE_DEFINITIONS>)
    set_target_properties(${core}_${level} PROPERTIES HEADLIGHT_HOT ON)
    compile_by_folder(${core}_${level})
    target_sources(${core} PRIVATE $<TARGET_OBJECTS:${core}_${level}>)
  endforeach()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/engine/core/level.cpp PROPERTIES COMPILE_DEFINITIONS HEADLIGHT_X86_LEVELS)
endfunction()
