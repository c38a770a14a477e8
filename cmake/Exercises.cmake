# What grades the exercises of the lessons, and the programs and tests of each exercise.

# Every index is checked in learners' files. All files of a checker have it: the linker keeps one copy of what they share.
set(EXERCISE_CHECKS _GLIBCXX_ASSERTIONS XTENSOR_ENABLE_ASSERT)
if(CMAKE_SYSTEM_NAME STREQUAL WASI)  # in a page, by libc++, which is to say which rule was broken
  list(APPEND EXERCISE_CHECKS _LIBCPP_ENABLE_EXPERIMENTAL _LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE
    _LIBCPP_ASSERTION_SEMANTIC=_LIBCPP_ASSERTION_SEMANTIC_ENFORCE)
endif()
# How a learner's file is compiled: quickly, with lines for crashes.
set(EXERCISE_OPTIONS -O0 -g -fno-pie -Wall -Wextra -Wno-unused-parameter -Werror=return-type)

# add_grader()
#   headlight_verdict: what runs a checker and shows its verdict, on the library in float as the programs are.
#   headlight_grader: what a checker is made of, in double. exercise_header: the precompiled header of learners' files.
function(add_grader)
  set(folder ${PROJECT_SOURCE_DIR}/lessons/grader)
  file(GLOB verdict CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lessons/verdict/*.cpp)
  add_library(headlight_verdict STATIC EXCLUDE_FROM_ALL ${verdict})
  target_include_directories(headlight_verdict PUBLIC ${PROJECT_SOURCE_DIR}/lessons)
  target_link_libraries(headlight_verdict PUBLIC headlight_system PRIVATE headlight_options)
  target_compile_options(headlight_verdict PRIVATE ${HEADLIGHT_COLD})
  target_precompile_headers(headlight_verdict REUSE_FROM headlight_${HEADLIGHT_COLD_HEADER})
  compile_by_folder(headlight_verdict)

  list(FILTER verdict INCLUDE REGEX "/verdict(|_json|_line)\\.cpp$")  # what a checker prints is read by the program above
  file(GLOB grader CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(headlight_grader STATIC EXCLUDE_FROM_ALL ${verdict} ${grader})
  target_include_directories(headlight_grader PUBLIC ${PROJECT_SOURCE_DIR}/lessons)
  target_link_libraries(headlight_grader PUBLIC headlight_f64_interpret headlight_f64_train PRIVATE headlight_options)
  target_compile_options(headlight_grader PRIVATE ${HEADLIGHT_COLD})
  target_compile_definitions(headlight_grader PRIVATE ${EXERCISE_CHECKS})
  target_precompile_headers(headlight_grader PRIVATE ${folder}/part.h ${PROJECT_SOURCE_DIR}/include/headlight/nn/layers.h
    ${PROJECT_SOURCE_DIR}/include/headlight/ops/ops.h)
  compile_by_folder(headlight_grader)

  # What draws the pictures of `./headlight show`, with the options of the grader.
  add_library(headlight_show STATIC EXCLUDE_FROM_ALL
    ${PROJECT_SOURCE_DIR}/lessons/show.cpp ${PROJECT_SOURCE_DIR}/lessons/progress.cpp)
  target_link_libraries(headlight_show PUBLIC headlight_grader headlight_f64_draw PRIVATE headlight_options)
  target_compile_options(headlight_show PRIVATE ${HEADLIGHT_COLD})
  target_compile_definitions(headlight_show PRIVATE ${EXERCISE_CHECKS})
  target_precompile_headers(headlight_show REUSE_FROM headlight_grader)

  add_library(exercise_options INTERFACE)
  target_link_libraries(exercise_options INTERFACE headlight_grader)
  target_compile_options(exercise_options INTERFACE ${EXERCISE_OPTIONS})
  target_compile_definitions(exercise_options INTERFACE ${EXERCISE_CHECKS})
  target_link_options(exercise_options INTERFACE -no-pie)
  if(HEADLIGHT_SANITIZE)
    target_compile_options(exercise_options INTERFACE ${sanitizers})
    target_link_options(exercise_options INTERFACE ${sanitizers})
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/exercise_header.cpp "")
  add_library(exercise_header STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/exercise_header.cpp)
  target_link_libraries(exercise_header PRIVATE exercise_options)
  target_precompile_headers(exercise_header PRIVATE ${PROJECT_SOURCE_DIR}/lessons/exercise.h)
endfunction()

# add_check(name file)
#   The object library `name` of a check.cpp, which the checkers of an exercise share. It has the options of the
#   grader, whose precompiled header it uses.
function(add_check name file)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${file})
  target_link_libraries(${name} PRIVATE headlight_grader headlight_options)
  target_compile_options(${name} PRIVATE ${HEADLIGHT_COLD} -Wno-unused-parameter)
  target_compile_definitions(${name} PRIVATE ${EXERCISE_CHECKS})
  target_precompile_headers(${name} REUSE_FROM headlight_grader)
endfunction()

# add_checker(name check file)
#   The checker `name` of the learner's file: the file with the object library `check`.
function(add_checker name check file)
  add_executable(${name} EXCLUDE_FROM_ALL ${file} $<TARGET_OBJECTS:${check}>)
  target_link_libraries(${name} PRIVATE exercise_options)
  target_precompile_headers(${name} REUSE_FROM exercise_header)
  set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# lessons_used(out NN_name)
#   The earlier lessons whose kept.h the exercise includes, and those that these use.
function(lessons_used out name)
  set(exercise ${PROJECT_SOURCE_DIR}/lessons/${name}/exercise.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${exercise})
  file(STRINGS ${exercise} lines REGEX "^#include \"[0-9][0-9]_.*/kept\\.h\"")
  set(all "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*\"([0-9][0-9]_[a-z0-9_]+)/kept.*" "\\1" lesson "${line}")
    lessons_used(below ${lesson})
    list(APPEND all ${lesson} ${below})
  endforeach()
  list(REMOVE_DUPLICATES all)
  list(SORT all)
  set(${out} ${all} PARENT_SCOPE)
endfunction()

# wrap_solution(out NN_name)
#   The path of a source that has the lesson's solution in the namespace lesson_NN, and how it is made. What the solution
#   includes is included before, since a header does not belong into that namespace.
function(wrap_solution out lesson)
  set(solution ${PROJECT_SOURCE_DIR}/lessons/${lesson}/solution.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${solution})
  file(STRINGS ${solution} includes REGEX "^#include")
  list(JOIN includes "\n" includes)
  string(SUBSTRING ${lesson} 0 2 number)
  set(wrapped ${CMAKE_CURRENT_BINARY_DIR}/used_${lesson}.cpp)
  file(CONFIGURE OUTPUT ${wrapped} @ONLY
    CONTENT "#include \"${lesson}/kept.h\"\n${includes}\n\nnamespace lesson_${number} {\n#include \"${solution}\"\n}\n")
  set(${out} ${wrapped} PARENT_SCOPE)
endfunction()

# add_used(name NN_name file)
#   The object library `name` of a file that has the functions of lesson NN_name in the namespace lesson_NN, for later
#   lessons.
function(add_used name lesson file)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${file})
  target_link_libraries(${name} PRIVATE exercise_options)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson})
  target_compile_options(${name} PRIVATE -w)
  target_precompile_headers(${name} REUSE_FROM exercise_header)
endfunction()

# link_used(target NN_name kind)
#   Gives a checker of the lesson what the lesson uses of earlier ones. kind: `solution`, or `mine` for the files in
#   my/.used/, which headlight_course writes.
function(link_used target name kind)
  lessons_used(all ${name})
  foreach(lesson IN LISTS all)
    if(NOT TARGET used_${lesson}_solution)
      wrap_solution(solution ${lesson})
      add_used(used_${lesson}_solution ${lesson} ${solution})
      set_source_files_properties(${PROJECT_SOURCE_DIR}/my/.used/${lesson}.cpp PROPERTIES GENERATED ON)
      add_used(used_${lesson}_mine ${lesson} ${PROJECT_SOURCE_DIR}/my/.used/${lesson}.cpp)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:used_${lesson}_${kind}>)
  endforeach()
endfunction()

# add_show(NN_name)
#   The programs that draw the picture of the lesson's show.cpp, if it has one: show_NN_name of the learner's file, and
#   show_NN_name_shipped of exercise.cpp for the test that no panel is drawn by ours where it says that it is not.
function(add_show name)
  set(folder ${PROJECT_SOURCE_DIR}/lessons/${name})
  if(NOT EXISTS ${folder}/show.cpp)
    return()
  endif()
  add_check(draws_${name} ${folder}/show.cpp)
  foreach(kind IN ITEMS mine solution)
    set(show show_${name})
    set(file ${PROJECT_SOURCE_DIR}/my/${name}.cpp)
    if(kind STREQUAL solution)
      set(show ${show}_shipped)
      set(file ${folder}/exercise.cpp)
    endif()
    add_checker(${show} draws_${name} ${file})
    target_include_directories(${show} PRIVATE ${folder})
    target_link_libraries(${show} PRIVATE headlight_show)
    link_used(${show} ${name} ${kind})
  endforeach()
  if(TARGET headlight_all_tests AND NOT HEADLIGHT_SANITIZE)
    add_dependencies(headlight_all_tests show_${name}_shipped)
    add_test(NAME "exercises: ${name} is drawn by the learner's functions alone" COMMAND show_${name}_shipped 0 all)
    set_tests_properties("exercises: ${name} is drawn by the learner's functions alone" PROPERTIES TIMEOUT 600
      PASS_REGULAR_EXPRESSION "threw an exception here .not written yet." FAIL_REGULAR_EXPRESSION "Drawn by your")
  endif()
endfunction()

# add_exercise(NN_name)
#   The checkers and tests of the exercise in lessons/NN_name, if there is one:
#     checker_NN_name_shipped   of exercise.cpp: part 1 is not written yet
#     checker_NN_name_solved    of solution.cpp: all parts are solved, and the bank of mistakes holds
#     my_NN_name                of my/NN_name.cpp, the learner's own file, once there is one
function(add_exercise name)
  set(folder ${PROJECT_SOURCE_DIR}/lessons/${name})
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.cpp)
  if(NOT "exercise.cpp" IN_LIST files)
    return()
  endif()
  foreach(needed IN ITEMS check.cpp solution.cpp)
    if(NOT needed IN_LIST files)
      add_test(NAME "exercises: ${name} has ${needed}" COMMAND ${CMAKE_COMMAND} -E false)
      return()
    endif()
  endforeach()

  set_property(GLOBAL APPEND PROPERTY HEADLIGHT_EXERCISES ${name})
  set(check check_${name})
  add_check(${check} ${folder}/check.cpp)
  # Under sanitizers none is tested: every index is checked in them anyway, and a learner's time would not suffice.
  set(tested FALSE)
  if(TARGET headlight_all_tests AND NOT HEADLIGHT_SANITIZE)
    set(tested TRUE)
  endif()
  foreach(kind IN ITEMS shipped:exercise solved:solution)
    string(REPLACE ":" ";" kind ${kind})
    list(GET kind 0 state)
    list(GET kind 1 file)
    add_checker(checker_${name}_${state} ${check} ${folder}/${file}.cpp)
    target_include_directories(checker_${name}_${state} PRIVATE ${folder})
    link_used(checker_${name}_${state} ${name} solution)
    if(tested)
      add_dependencies(headlight_all_tests checker_${name}_${state})
    endif()
  endforeach()
  set(mine ${PROJECT_SOURCE_DIR}/my/${name}.cpp)
  set_source_files_properties(${mine} PROPERTIES GENERATED ON)  # not there before the learner starts
  add_checker(my_${name} ${check} ${mine})
  target_include_directories(my_${name} PRIVATE ${folder})
  link_used(my_${name} ${name} mine)
  add_show(${name})
  lessons_used(used ${name})
  file(CONFIGURE OUTPUT ${name}.uses CONTENT "${used}" @ONLY)  # which headlight_course reads
  if(NOT tested)
    return()
  endif()
  add_verdict_test("${name} as shipped is not written yet" checker_${name}_shipped ${folder}/exercise.cpp
    "Part 1 of .*This part is not written yet")
  add_verdict_test("${name} is solved by its solution" checker_${name}_solved ${folder}/solution.cpp
    "All parts are solved")
  add_test(NAME "exercises: ${name} has a bank that names each mistake" COMMAND checker_${name}_solved --bank ${folder})
  set_tests_properties("exercises: ${name} has a bank that names each mistake" PROPERTIES TIMEOUT 600 COST 30)
endfunction()

# add_verdict_test(name checker file words)
#   The test that the verdict on a checker, graded as a learner's is, has words that match.
function(add_verdict_test name checker file words)
  add_test(NAME "exercises: ${name}" COMMAND grade_checker $<TARGET_FILE:${checker}> ${file})
  set_tests_properties("exercises: ${name}" PROPERTIES PASS_REGULAR_EXPRESSION "${words}" TIMEOUT 600
    COST 10)
endfunction()

# add_learner(NN_name what FROM text TO text SAYS words)
#   The test that a whole learner's file, the solution with a text replaced, gets a verdict with words that match.
function(add_learner name what)
  cmake_parse_arguments(ARG "" "FROM;TO;SAYS" "" ${ARGN})
  if(NOT TARGET headlight_all_tests OR HEADLIGHT_SANITIZE)
    return()
  endif()
  set(solution ${PROJECT_SOURCE_DIR}/lessons/${name}/solution.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${solution})
  file(READ ${solution} text)
  string(REPLACE "${ARG_FROM}" "${ARG_TO}" wrong "${text}")
  if(wrong STREQUAL text)
    message(SEND_ERROR "${solution} does not have '${ARG_FROM}'.")
  endif()
  set(checker checker_${name}_${what})
  file(CONFIGURE OUTPUT ${checker}.cpp CONTENT "${wrong}" @ONLY)
  add_checker(${checker} check_${name} ${CMAKE_CURRENT_BINARY_DIR}/${checker}.cpp)
  target_include_directories(${checker} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${name})
  link_used(${checker} ${name} solution)
  target_compile_options(${checker} PRIVATE -w)  # the compiler sees some mistakes too
  add_dependencies(headlight_all_tests ${checker})
  add_verdict_test("${name} with ${what}" ${checker} ${CMAKE_CURRENT_BINARY_DIR}/${checker}.cpp "${ARG_SAYS}")
endfunction()

# add_grader_tests()
#   For the tests: the program that grades a checker, and a checker of a learner's file that goes wrong in every way.
function(add_grader_tests)
  if(NOT TARGET headlight_all_tests OR HEADLIGHT_SANITIZE)
    return()
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/tests/course/exercises)
  add_check(check_misbehaving ${folder}/check.cpp)
  add_checker(checker_misbehaving check_misbehaving ${folder}/learner.cpp)
  add_dependencies(headlight_program_tests checker_misbehaving)
  add_dependencies(headlight_program_tests show_02_derivatives_shipped)
  add_executable(grade_checker ${folder}/grade_checker.cpp)
  target_link_libraries(grade_checker PRIVATE headlight_verdict headlight_options)
  add_dependencies(headlight_all_tests checker_misbehaving grade_checker)
endfunction()
