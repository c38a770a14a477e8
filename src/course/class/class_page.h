// A graded class as a page.
#pragma once

#include <string>

#include "class_summary.h"

namespace headlight::course {

// One HTML file without links to other files, which prints: the mistakes that the class makes, with the
// section to read again and a typical line of code without its author, the parts and who is stuck in them,
// and the marks of each student.
std::string class_page(const GradedClass& graded, const ClassSummary& summary, const std::string& title);

}  // namespace headlight::course
