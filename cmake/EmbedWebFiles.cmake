# cmake -DWEB=src/web/page/web "-DSCRIPTS=text.js;main.js" -DOUT=web_files.cpp -P EmbedWebFiles.cmake
#   Writes the page's sources as string literals.

file(READ ${WEB}/page.html page)
file(READ ${WEB}/page.css style)
include(${CMAKE_CURRENT_LIST_DIR}/JoinScripts.cmake)
join_scripts(${WEB} "${SCRIPTS}" script)

set(code "#include \"page/web_files.h\"\n\nnamespace headlight::page::web {\n")
foreach(name IN ITEMS page style script)
  string(APPEND code "const std::string_view ${name} = R\"~~~~(${${name}})~~~~\";\n")
endforeach()
string(APPEND code "}  // namespace headlight::page::web\n")
file(WRITE ${OUT} "${code}")
