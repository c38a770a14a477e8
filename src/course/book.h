// The lessons as a book.
#pragma once

#include <string>

#include "learner.h"

namespace headlight::course {

// One HTML file without links to other files: each lesson's text, its answers, hints and program, and the
// glossary. Formulas are MathML, made by pandoc. Throws Error without pandoc.
std::string book(const Learner& learner);

}  // namespace headlight::course
