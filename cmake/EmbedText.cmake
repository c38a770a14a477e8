# cmake -DFILE=torch_module.py -DHEADER=run/torch_module.h -DNAMESPACE=experiment -DNAME=torch_module
#       -DOUT=torch_module.cpp [-DHASH=ON] -P EmbedText.cmake
#   Writes a text file as a string literal, and the text's SHA-256 for a content policy as NAME_hash where HASH is
#   on. A literal may hold 65,536 characters.
include(${CMAKE_CURRENT_LIST_DIR}/Base64.cmake)
file(READ ${FILE} text)
set(more "")
if(HASH)
  hash_of(hash "${text}")
  set(more "const std::string_view ${NAME}_hash = \"${hash}\";\n")
endif()
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace headlight::${NAMESPACE} {
const std::string_view ${NAME} = R\"~~~~(${text})~~~~\";
${more}}  // namespace headlight::${NAMESPACE}
")
