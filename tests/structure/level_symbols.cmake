# cmake -DNM=… -DLEVEL=v3 -DOBJECTS=…;… -P level_symbols.cmake
#   Every function that the kernels of a level define for other files must be in the namespace of the level. Of an inline
#   function that is elsewhere, the linker might take the copy that only some machines can run.
set(allowed "7kernels2${LEVEL}|^__clang_call_terminate$")  # the second is the same code at every level
set(found 0)
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${object} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^[^ ]+ [TWi] ")
      continue()
    endif()
    math(EXPR found "${found} + 1")
    string(REGEX MATCH "^[^ ]+" symbol "${line}")
    if(NOT symbol MATCHES "${allowed}")
      message(SEND_ERROR "${object} defines ${symbol}, which is not in the namespace kernels::${LEVEL}.")
    endif()
  endforeach()
endforeach()
if(found EQUAL 0)
  message(FATAL_ERROR "no functions were found in '${OBJECTS}'.")
endif()
