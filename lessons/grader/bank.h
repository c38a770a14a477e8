// The maintainer's proof of an exercise: what is wrong with it, one sentence each; empty when nothing is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/part.h"

namespace headlight::grader {

// How often the solution and each mistake are called. Twice shows that they give the same results twice. Once
// is enough to find bad accesses, and sanitizers make a training slow.
enum class Runs { once, twice };

// Of its bank: the solution passes; there are four mistakes a part or more, each with a name of its own; each
// is caught and called by its own name; no two give the same outcomes. Several together may give those of a
// single one, of other ones or of the solution; in the first two cases they are named as exact_mistake says.
// An experiment takes no count for another one, and no number that is 1 % off. Each of its known wrong ways
// to measure is caught with the solution's settings.
std::vector<std::string> faults_of_bank(const Exercise& exercise, Runs runs = Runs::twice);

// Of its files in the lesson's folder: exercise.cpp is short and marks each part with its stars, solution.cpp
// and questions.md are there, hints.md has three hints or more for each part and what it is good for, and
// none for others, exercise.cpp says what a part may not call, and README.md has each heading that a mistake
// says to read.
std::vector<std::string> faults_of_files(const Exercise& exercise, const std::filesystem::path& folder);

// The verdicts on the solution, on each known mistake and on some of those that are several together (`pairs`
// of each part), as lines of JSON: for comparing what two systems say.
std::string verdicts_of_bank(const Exercise& exercise, std::size_t pairs);

}  // namespace headlight::grader
