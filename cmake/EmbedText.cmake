# cmake -DFILE=torch_module.py -DHEADER=run/torch_module.h -DNAMESPACE=experiment -DNAME=torch_module
#       -DOUT=torch_module.cpp -P EmbedText.cmake
#   Writes a text file as a string literal, which may hold 65,536 characters.
file(READ ${FILE} text)
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace headlight::${NAMESPACE} {
const std::string_view ${NAME} = R\"~~~~(${text})~~~~\";
}  // namespace headlight::${NAMESPACE}
")
