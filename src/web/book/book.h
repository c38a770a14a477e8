// The lessons as a book.
#pragma once

#include <string>

#include "course/check/learner.h"

namespace headlight::course {

// One HTML file without links to other files: each lesson's text, its answers, hints and program, and the
// glossary. Formulas are MathML, made by pandoc. Throws Error without pandoc.
// `engine`: what src/web/wasm builds, with which two figures train a model; empty: without these figures.
// `solve`: with a box under each exercise, whose scripts lie in solve/ beside the page (src/web/solve).
std::string book(const Learner& learner, const std::string& engine, bool solve = false);

}  // namespace headlight::course
