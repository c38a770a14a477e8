// The course as a page: its map, and a summary of each part to print.
#pragma once

#include <filesystem>
#include <string>

#include "course/check/learner.h"

namespace headlight::course {

// One HTML file without links to other files: the map with what the learner has solved, and for each part of
// the course one sheet of A4, made from the texts. For each lesson the sheet has the sentence "Afterwards you
// can", the terms of lessons/glossary.md with their meanings, and the parts of the exercise.
std::string course_page(const Learner& learner);

}  // namespace headlight::course
