# cmake -DKIND=installed|embedded|examples -DBUILD=… -DSOURCE=… -DWORK=… -DGENERATOR=… -DCOMPILER=… -P run.cmake
#   Builds and runs projects that use Headlight from outside.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run out)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

# The command must fail, and say so with these texts.
function(expect_failure texts)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  foreach(text IN LISTS texts)
    string(FIND "${output}" "${text}" place)
    if(status EQUAL 0 OR place EQUAL -1)
      list(JOIN ARGN " " command)
      message(FATAL_ERROR "${command}: expected a failure with '${text}', got status ${status}:\n${output}")
    endif()
  endforeach()
endfunction()

function(expect_printed program text)
  run(output ${WORK}/build/${program})
  if(NOT output STREQUAL "${text}\n")
    message(FATAL_ERROR "${program}: expected '${text}', it printed:\n${output}")
  endif()
endfunction()

# An installed library may be moved, and names no folder of this build.
function(install_library)
  run(output ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/moved)
  file(GLOB_RECURSE files ${WORK}/moved/*.cmake)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    foreach(folder IN ITEMS ${BUILD} ${SOURCE}/src ${SOURCE}/include ${WORK}/first)
      string(FIND "${text}" "${folder}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} names a folder of this build, ${folder}.")
      endif()
    endforeach()
  endforeach()
endfunction()

set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/moved)

include(${CMAKE_CURRENT_LIST_DIR}/${KIND}.cmake)
