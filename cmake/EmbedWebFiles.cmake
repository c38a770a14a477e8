# cmake -DWEB=src/report/web "-DSCRIPTS=text.js;main.js" -DOUT=web_files.cpp -P EmbedWebFiles.cmake
#   Writes the page's sources as string literals, and the script's SHA-256 for the page's content policy.

# base64 of bytes given as hexadecimal digits: three bytes make four digits of 6 bits.
function(base64_of out hex)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(LENGTH "${hex}" length)
  foreach(at RANGE 0 ${length} 6)
    string(SUBSTRING "${hex}" ${at} 6 three)
    string(LENGTH "${three}" given)
    if(given GREATER 0)
      string(SUBSTRING "${three}0000" 0 6 three)
      foreach(k RANGE 3)
        math(EXPR digit "(0x${three} >> (18 - 6 * ${k})) & 63")
        string(SUBSTRING "${digits}" ${digit} 1 character)
        math(EXPR bits "${k} * 6")
        math(EXPR known "${given} * 4")
        if(bits LESS known)
          string(APPEND text "${character}")
        else()
          string(APPEND text "=")
        endif()
      endforeach()
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(READ ${WEB}/page.html page)
file(READ ${WEB}/page.css style)

file(GLOB found RELATIVE ${WEB} ${WEB}/*.js)
list(REMOVE_ITEM found ${SCRIPTS})
if(found)
  message(FATAL_ERROR "${found} of ${WEB} would not be on the page: name it in the list of scripts.")
endif()

# Each script in a block of its own: what it declares is its own, and what others may use it puts into `headlight`.
set(script "\"use strict\";\nconst headlight = {};\n")
foreach(file IN LISTS SCRIPTS)
  file(READ ${WEB}/${file} text)
  string(APPEND script "{\n${text}}\n")
endforeach()

string(SHA256 hash "${script}")
base64_of(script_hash "${hash}")

set(code "#include \"report/web_files.h\"\n\nnamespace headlight::inline HEADLIGHT_PRECISION::report::web {\n")
foreach(name IN ITEMS page style script script_hash)
  string(APPEND code "const std::string_view ${name} = R\"~~~~(${${name}})~~~~\";\n")
endforeach()
string(APPEND code "}  // namespace headlight::report::web\n")
file(WRITE ${OUT} "${code}")
