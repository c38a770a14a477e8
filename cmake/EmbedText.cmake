# cmake -DFILE=torch_module.py -DHEADER=experiment/torch_module.h -DNAMESPACE=experiment -DNAME=torch_module
#       -DOUT=torch_module.cpp -P EmbedText.cmake
#   Writes a text file as a string literal. A literal may hold 65,536 characters.
file(READ ${FILE} text)
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace headlight::inline HEADLIGHT_PRECISION::${NAMESPACE} {
const std::string_view ${NAME} = R\"~~~~(${text})~~~~\";
}  // namespace headlight::${NAMESPACE}
")
