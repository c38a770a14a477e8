// A graded class as text: for a terminal, and for a gradebook.
#pragma once

#include <string>

#include "class_summary.h"

namespace headlight::course {

// A line a student with the parts of each lesson ("✓✓✗·") and the marks; then the mistakes that the class
// makes, the most frequent first, and the parts that more than a third have not solved. Lines of at most
// `width` columns.
std::string class_text(const GradedClass& graded, const ClassSummary& summary, std::size_t width);

// CSV: name, a column of marks a lesson, their sum and what can be had, then a column a part with what became
// of it ("solved", the name of the mistake, "not written yet", …).
std::string class_csv(const GradedClass& graded);

// "✓" for a part that is solved, "✗" for one that is wrong, "·" for one that is not written, "–" where
// nothing was graded.
const char* sign_of(const PartMark& part);

}  // namespace headlight::course
