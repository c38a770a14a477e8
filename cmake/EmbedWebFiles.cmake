# cmake -DWEB=src/page/web "-DSCRIPTS=text.js;main.js" -DOUT=web_files.cpp -P EmbedWebFiles.cmake
#   Writes the page's sources as string literals.

file(READ ${WEB}/page.html page)
file(READ ${WEB}/page.css style)

file(GLOB_RECURSE found RELATIVE ${WEB} ${WEB}/*.js)
list(REMOVE_ITEM found ${SCRIPTS})
if(found)
  message(FATAL_ERROR "${found} of ${WEB} would not be on the page: name it in the list of scripts.")
endif()

# Each script in a block of its own: what it declares is its own, and what others may use it puts into `headlight`.
set(script "\"use strict\";\nconst headlight = {};\n")
foreach(file IN LISTS SCRIPTS)
  file(READ ${WEB}/${file} text)
  # Types are for those who change the scripts; they are a sixth of their bytes.
  string(REGEX REPLACE "\n *\\/\\*\\*[^*]*\\*+([^/*][^*]*\\*+)*\\/" "" text "${text}")
  string(APPEND script "{\n${text}}\n")
endforeach()

set(code "#include \"page/web_files.h\"\n\nnamespace headlight::page::web {\n")
foreach(name IN ITEMS page style script)
  string(APPEND code "const std::string_view ${name} = R\"~~~~(${${name}})~~~~\";\n")
endforeach()
string(APPEND code "}  // namespace headlight::page::web\n")
file(WRITE ${OUT} "${code}")
