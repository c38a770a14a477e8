include(Exercises)

# add_lesson(NN_name)
#   The program lesson_NN_name of lessons/NN_name/lesson.cpp, in double precision. Built by its own name
#   (`./headlight lesson NN` does) and with the tests, not otherwise.
#   Its exercise too, if it has one.
function(add_lesson name)
  add_executable(lesson_${name} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/lessons/${name}/lesson.cpp)
  target_link_libraries(lesson_${name} PRIVATE lesson_program headlight_options)
  target_compile_options(lesson_${name} PRIVATE ${HEADLIGHT_COLD})  # who waits for a lesson waits for its compilation
  target_precompile_headers(lesson_${name} REUSE_FROM lesson_program)
  if(TARGET headlight_program_tests AND NOT HEADLIGHT_SANITIZE)
    add_dependencies(headlight_program_tests lesson_${name})
  endif()
  add_exercise(${name})
endfunction()

# The common part of all lessons. It owns the precompiled header, without which a lesson takes three times as long
# to compile.
function(add_lesson_program)
  add_library(lesson_program STATIC EXCLUDE_FROM_ALL
    ${PROJECT_SOURCE_DIR}/lessons/lesson_program.cpp ${PROJECT_SOURCE_DIR}/lessons/progress.cpp)
  target_include_directories(lesson_program PUBLIC ${PROJECT_SOURCE_DIR}/lessons)
  target_link_libraries(lesson_program PUBLIC headlight_f64_interpret headlight_f64_draw PRIVATE headlight_options)
  target_compile_options(lesson_program PRIVATE ${HEADLIGHT_COLD})
  target_precompile_headers(lesson_program PRIVATE
    ${PROJECT_SOURCE_DIR}/lessons/lesson_program.h ${PROJECT_SOURCE_DIR}/include/headlight/ops/ops.h)
endfunction()
