# cmake -DFOLDER=src/web/book/book "-DSCRIPTS=live.js;reading.js" -DHEADER=course/book_parts.h -DNAMESPACE=course
#       -DNAME=book_script -DOUT=book_script.cpp -P EmbedScripts.cmake
#   Writes the scripts of a folder, joined in this order, as a string literal.
include(${CMAKE_CURRENT_LIST_DIR}/JoinScripts.cmake)
join_scripts(${FOLDER} "${SCRIPTS}" script)
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace headlight::${NAMESPACE} {
const std::string_view ${NAME} = R\"~~~~(${script})~~~~\";
}  // namespace headlight::${NAMESPACE}
")
