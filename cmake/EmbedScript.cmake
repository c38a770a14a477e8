# cmake -DFILE=src/web/page/web/main.js -DHEADER=page/web_files.h -DNAMESPACE=page::web -DNAME=script -DOUT=script.cpp
#       -P EmbedScript.cmake
#   Writes a script with all that it imports as a string literal.
find_program(esbuild esbuild)
if(NOT esbuild)
  message(FATAL_ERROR "esbuild is missing: it bundles the scripts of the report and of the book. "
                      "Please install esbuild (on Debian and Ubuntu: apt-get install esbuild).")
endif()
set(bundle ${OUT}.js)
execute_process(
  COMMAND ${esbuild} --bundle --format=iife --charset=utf8 --minify-whitespace --log-level=warning "--banner:js=\"use strict\";"
          --outfile=${bundle} ${FILE}
  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../src/web
  COMMAND_ERROR_IS_FATAL ANY)
set(FILE ${bundle})
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
