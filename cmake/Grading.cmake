# grading.ninja: how a learner's file becomes a checker, by ninja and a compiler alone. ./headlight class reads it inside
# a sandbox, and an archive of ./headlight package has no other way. Who includes it sets $my and $made, the folders of
# what was written and of what is made.
get_property(EXERCISES GLOBAL PROPERTY HEADLIGHT_EXERCISES)
list(TRANSFORM EXERCISE_CHECKS PREPEND -D OUTPUT_VARIABLE checks)
set(options ${EXERCISE_OPTIONS} ${checks} ${sanitizers})
set(flags -std=c++20 -DNDEBUG ${options} -DHEADLIGHT_DOUBLE=1 -Dheadlight=headlight_f64 -DFMT_HEADER_ONLY)
list(JOIN flags " " flags)
list(JOIN sanitizers " " linked_with)

set(of_compiler "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)  # for xtensor 0.24
  set(of_compiler -fno-relaxed-template-template-args -Wno-deprecated-no-relaxed-template-template-args)
endif()
list(JOIN of_compiler " " of_compiler)

# In the project's own tree; an archive has other ones.
set(libraries "")
if(NOT HEADLIGHT_ARCHIVE)
  list(JOIN LAPACK_LIBRARIES " " lapack)
  list(JOIN BLAS_LIBRARIES " " blas)
  set(libraries "-Wl,--start-group libheadlight_f64_*.a -Wl,--end-group ${lapack} ${blas} $<TARGET_LINKER_FILE:fmt::fmt>")
endif()
file(WRITE ${PROJECT_BINARY_DIR}/compiler.ninja.new
  "cxx = ${CMAKE_CXX_COMPILER}\nof_compiler = ${of_compiler}\nversion = ${CMAKE_CXX_COMPILER_VERSION}\n")
file(COPY_FILE ${PROJECT_BINARY_DIR}/compiler.ninja.new ${PROJECT_BINARY_DIR}/compiler.ninja ONLY_IF_DIFFERENT)

set(rules "ninja_required_version = 1.8
include compiler.ninja
root = ${PROJECT_SOURCE_DIR}
libraries = ${libraries}
flags = ${flags} $of_compiler -I'$root/include' -I'$root/lessons'
rule compile
  command = $cxx $flags -I'$root/lessons/$lesson' -include lessons/header.h -MD -MF $out.d -c $in -o $out
  deps = gcc
  depfile = $out.d
# An earlier lesson's functions as the learner wrote them, or, for an empty file, ours.
rule used
  command = if [ -s $in ]; then $cxx $flags -w -I'$root/lessons/$lesson' -include lessons/header.h -MD -MF $out.d -c $in -o $out; else cp $ours $out; fi
  deps = gcc
  depfile = $out.d
rule program
  command = $cxx -no-pie ${linked_with} $in $before lessons/libheadlight_grader.a $libraries -pthread -o $out
")
set(objects "")
set(used_by_any "")
foreach(exercise IN LISTS EXERCISES)
  lessons_used(used ${exercise})
  list(APPEND used_by_any ${used})
  list(TRANSFORM used REPLACE "(.+)" "$made/used_\\1.o" OUTPUT_VARIABLE used_objects)
  list(JOIN used_objects " " used_objects)
  string(APPEND rules "
build $made/${exercise}.o: compile $my/${exercise}.cpp | lessons/header.h.gch
  lesson = ${exercise}
build $made/my_${exercise}: program $made/${exercise}.o $<TARGET_OBJECTS:check_${exercise}> ${used_objects}
build my_${exercise}: phony $made/my_${exercise}
")
  list(APPEND objects "check_${exercise} $<TARGET_OBJECTS:check_${exercise}>")
  list(TRANSFORM used REPLACE "(.+)" "used_\\1_solution" OUTPUT_VARIABLE used)
  # What is to be built before.
  add_custom_target(grading_${exercise} DEPENDS headlight_grader check_${exercise} ${used} ${PROJECT_BINARY_DIR}/lessons/header.h.gch)
endforeach()
list(REMOVE_DUPLICATES used_by_any)
foreach(lesson IN LISTS used_by_any)
  string(APPEND rules "
build $made/used_${lesson}.o: used $my/.used/${lesson}.cpp | lessons/header.h.gch
  lesson = ${lesson}
  ours = $<TARGET_OBJECTS:used_${lesson}_solution>
")
  list(APPEND objects "ours_${lesson} $<TARGET_OBJECTS:used_${lesson}_solution>")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/grading.ninja CONTENT "${rules}")

set(header ${PROJECT_BINARY_DIR}/lessons/header.h)
file(WRITE ${header}.new "#include \"exercise.h\"\n")
file(COPY_FILE ${header}.new ${header} ONLY_IF_DIFFERENT)
separate_arguments(words UNIX_COMMAND "${flags} ${of_compiler} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/lessons")
add_custom_command(OUTPUT ${header}.gch DEPFILE ${header}.gch.d DEPENDS ${header} VERBATIM
  COMMAND ${CMAKE_CXX_COMPILER} ${words} -x c++-header ${header} -MD -MF ${header}.gch.d -MT ${header}.gch -o ${header}.gch)
