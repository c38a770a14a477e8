# embed_style(<name> <namespace> <out>): a command that writes NAME.css of this folder as the string literal NAME_style,
#   which the header NAMESPACE/NAME_style.h declares; and the target headlight_NAME_style.
function(embed_style name space out)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${name}.css -DHEADER=${space}/${name}_style.h
            -DNAMESPACE=${space} -DNAME=${name}_style -DOUT=${out} -P ${script}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.css ${script}
    COMMENT "Embedding ${name}.css"
    VERBATIM)
  add_custom_target(headlight_${name}_style DEPENDS ${out})
endfunction()
