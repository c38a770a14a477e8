// The course as a picture: what leads to what.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons.h"
#include "progress.h"

namespace headlight::course {

// Text in HTML and SVG.
std::string escaped(const std::string& text);

// A standalone SVG figure: a column for each part, a box for each lesson with its number, title, minutes and
// how many of its parts are solved, and an arrow from each lesson to those that build on it directly. The
// boxes of a road share a mark, and below the map stands what the marks mean. The same course and progress
// give the same bytes.
std::string course_map(const std::vector<CoursePart>& parts, const std::vector<Road>& roads,
                       const Progress& progress);

}  // namespace headlight::course
