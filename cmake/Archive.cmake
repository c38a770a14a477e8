# What `./headlight package` needs of this build besides grading.ninja: archive.ninja, by which an unpacked archive also
# compiles pictures and lessons, and archive.txt, the objects that it links, each with its name there.
set(rules "my = ../../my
made = lessons
include grading.ninja
rule header
  command = $cxx $flags -x c++-header $in -MD -MF $out.d -o $out # $version
  deps = gcc
  depfile = $out.d
rule lesson
  command = $cxx -std=c++20 -DNDEBUG -O1 -DHEADLIGHT_DOUBLE=1 -Dheadlight=headlight_f64 -DFMT_HEADER_ONLY $of_compiler -I../../include -I../../lessons $in lessons/liblesson_program.a $libraries -pthread -o $out
build lessons/header.h.gch: header lessons/header.h
")
set(parts headlight_full headlight_course headlight_gradients headlight_library headlight_grader headlight_show)
foreach(exercise IN LISTS EXERCISES)
  string(APPEND rules "
build lesson_${exercise}: phony lessons/lesson_${exercise}
build lessons/edited_${exercise}: lesson ../../lessons/${exercise}/lesson.cpp
")
  list(APPEND parts lesson_${exercise} grading_${exercise})
  if(TARGET draws_${exercise})
    lessons_used(used ${exercise})
    list(TRANSFORM used REPLACE "(.+)" "lessons/used_\\1.o" OUTPUT_VARIABLE used)
    list(JOIN used " " used)
    string(APPEND rules "build lessons/show_${exercise}: program lessons/${exercise}.o lessons/draws_${exercise}.o ${used} | lessons/libheadlight_show.a
  before = lessons/libheadlight_show.a
build show_${exercise}: phony lessons/show_${exercise}
")
    list(APPEND parts draws_${exercise})
    list(APPEND objects "draws_${exercise} $<TARGET_OBJECTS:draws_${exercise}>")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/archive.ninja CONTENT "${rules}" @ONLY)
list(JOIN objects "\n" objects)
add_custom_target(archive_parts DEPENDS ${parts})
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/archive.txt CONTENT "${objects}\n")
