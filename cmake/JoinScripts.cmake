# join_scripts(FOLDER "text.js;main.js" OUT)
#   The scripts of a folder as one script. Each stands in a block of its own: what it declares is its own, and what
#   others may use it puts into `headlight`. A script that is not named is an error.
function(join_scripts folder scripts out)
  file(GLOB_RECURSE found RELATIVE ${folder} ${folder}/*.js)
  list(REMOVE_ITEM found ${scripts})
  if(found)
    message(FATAL_ERROR "${found} of ${folder} would not be on the page: name it in the list of scripts.")
  endif()

  set(script "\"use strict\";\nconst headlight = {};\n")
  foreach(file IN LISTS scripts)
    file(READ ${folder}/${file} text)
    # Types are for those who change the scripts; they are a sixth of their bytes.
    string(REGEX REPLACE "\n *\\/\\*\\*[^*]*\\*+([^/*][^*]*\\*+)*\\/" "" text "${text}")
    string(APPEND script "{\n${text}}\n")
  endforeach()
  set(${out} "${script}" PARENT_SCOPE)
endfunction()
