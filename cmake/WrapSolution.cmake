# cmake -DFILE=solution.cpp -DLESSON=NN_name -DOUT=wrapped.cpp -P WrapSolution.cmake
#   Writes a source that has the functions of a file in the namespace lesson_NN, for later lessons. What the file
#   includes is included before, since a header does not belong into that namespace.
file(READ ${FILE} text)
string(REGEX MATCHALL "\n#include[ \t]*[<\"][^>\"\n]*[>\"]" includes "\n${text}")
list(JOIN includes "" includes)
string(SUBSTRING ${LESSON} 0 2 number)
file(WRITE ${OUT} "#include \"${LESSON}/kept.h\"${includes}\n\nnamespace lesson_${number} {\n#include \"${FILE}\"\n}\n")
