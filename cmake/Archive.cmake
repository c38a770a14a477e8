# What `./headlight package` needs of this build: archive.ninja, by which an unpacked archive compiles a learner's file
# with ninja and a compiler alone, and archive.txt, the objects that it links, each with its name there.
get_property(EXERCISES GLOBAL PROPERTY HEADLIGHT_EXERCISES)
list(TRANSFORM EXERCISE_CHECKS PREPEND -D OUTPUT_VARIABLE checks)
list(JOIN checks " " checks)
list(JOIN EXERCISE_OPTIONS " " options)

set(rules "# How learners' files are compiled. ./headlight writes compiler.ninja.
ninja_required_version = 1.8
include compiler.ninja
flags = -std=c++20 -DNDEBUG ${options} ${checks} -DHEADLIGHT_DOUBLE=1 -Dheadlight=headlight_f64 -DFMT_HEADER_ONLY $of_compiler -I../../include -I../../lessons
rule header
  command = $cxx $flags -x c++-header $in -MD -MF $out.d -o $out # $version
  deps = gcc
  depfile = $out.d
rule compile
  command = $cxx $flags -I../../lessons/$lesson $warnings -include lessons/header.h -MD -MF $out.d -c $in -o $out
  deps = gcc
  depfile = $out.d
rule program
  command = $cxx -no-pie $in $before lessons/libheadlight_grader.a ../../lib/libheadlight_f64.a -pthread -o $out
rule lesson
  command = $cxx -std=c++20 -DNDEBUG -O1 -DHEADLIGHT_DOUBLE=1 -Dheadlight=headlight_f64 -DFMT_HEADER_ONLY $of_compiler -I../../include -I../../lessons $in lessons/liblesson_program.a ../../lib/libheadlight_f64.a -pthread -o $out
build lessons/header.h.gch: header lessons/header.h
")
set(objects "")
set(parts headlight_full headlight_course headlight_gradients headlight_library headlight_grader headlight_show)
set(used_by_any "")
foreach(exercise IN LISTS EXERCISES)
  lessons_used(used ${exercise})
  list(APPEND used_by_any ${used})
  list(TRANSFORM used REPLACE "(.+)" "lessons/used_\\1.o" OUTPUT_VARIABLE used)
  list(JOIN used " " used)
  string(APPEND rules "
build lessons/${exercise}.o: compile ../../my/${exercise}.cpp | lessons/header.h.gch
  lesson = ${exercise}
build lessons/my_${exercise}: program lessons/${exercise}.o lessons/check_${exercise}.o ${used} | lessons/libheadlight_grader.a ../../lib/libheadlight_f64.a
build my_${exercise}: phony lessons/my_${exercise}
build lesson_${exercise}: phony lessons/lesson_${exercise}
build lessons/edited_${exercise}: lesson ../../lessons/${exercise}/lesson.cpp
")
  list(APPEND parts lesson_${exercise} check_${exercise})
  list(APPEND objects "check_${exercise} $<TARGET_OBJECTS:check_${exercise}>")
  if(TARGET draws_${exercise})
    string(APPEND rules "build lessons/show_${exercise}: program lessons/${exercise}.o lessons/draws_${exercise}.o ${used} | lessons/libheadlight_show.a
  before = lessons/libheadlight_show.a
build show_${exercise}: phony lessons/show_${exercise}
")
    list(APPEND parts draws_${exercise})
    list(APPEND objects "draws_${exercise} $<TARGET_OBJECTS:draws_${exercise}>")
  endif()
endforeach()
list(REMOVE_DUPLICATES used_by_any)
foreach(lesson IN LISTS used_by_any)
  string(APPEND rules "
build lessons/used_${lesson}.o: compile ../../my/.used/${lesson}.cpp | lessons/header.h.gch
  lesson = ${lesson}
  warnings = -w
")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/archive.ninja CONTENT "${rules}" @ONLY)
list(JOIN objects "\n" objects)
add_custom_target(archive_parts DEPENDS ${parts})
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/archive.txt CONTENT "${objects}\n")
