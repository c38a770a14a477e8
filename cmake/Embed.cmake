# embed(<file> <header> <namespace> <name> <out>): a command that writes a text file as the string literal NAME, which
#   the header declares.
# embed_style(<name> <namespace> <out>): the same of NAME.css of this folder, as NAME_style in NAMESPACE/NAME_style.h; and
#   the target headlight_NAME_style.
# embed_script(<file> <header> <namespace> <name> <out>): the same of a script with all that it imports.
set(HEADLIGHT_WEB ${PROJECT_SOURCE_DIR}/src/web)
file(GLOB_RECURSE web_scripts CONFIGURE_DEPENDS ${HEADLIGHT_WEB}/*.js)
list(FILTER web_scripts EXCLUDE REGEX "\\.test\\.js$")
set_property(GLOBAL PROPERTY HEADLIGHT_WEB_SCRIPTS ${web_scripts})

function(_embed by file header space name out)
  set(script ${PROJECT_SOURCE_DIR}/cmake/${by}.cmake)
  cmake_path(GET file FILENAME of)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DHEADER=${header} -DNAMESPACE=${space} -DNAME=${name} -DOUT=${out} -P ${script}
    DEPENDS ${file} ${script} ${ARGN}
    COMMENT "Embedding ${of}"
    VERBATIM)
endfunction()

function(embed file header space name out)
  _embed(EmbedText ${file} ${header} ${space} ${name} ${out})
endfunction()

function(embed_style name space out)
  embed(${CMAKE_CURRENT_SOURCE_DIR}/${name}.css ${space}/${name}_style.h ${space} ${name}_style ${out})
  add_custom_target(headlight_${name}_style DEPENDS ${out})
endfunction()

function(embed_script file header space name out)
  get_property(scripts GLOBAL PROPERTY HEADLIGHT_WEB_SCRIPTS)
  _embed(EmbedScript ${file} ${header} ${space} ${name} ${out} ${scripts} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
endfunction()
