// The open part of an exercise: an experiment of the learner's own, with a prediction before each trial.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace headlight::grader {

using Experiment = std::vector<Trial> (*)();

// A wrong way to measure, as a learner would: what it gives for these settings, tried one after the other.
struct WrongMeasure {
  std::string sentence;
  std::function<std::vector<double>(const std::vector<double>& settings)> measure;
  std::vector<std::string> of = {};  // if it is several ways together: their sentences
};

// What a trial is about, as its table calls it, and which ones count.
struct Question {
  std::string setting;      // "d_head"
  std::string measured;     // "largest weight"
  double least, most;       // a setting
  bool whole = true;        // settings are whole numbers
  std::size_t trials = 3;   // with settings that differ
  double tolerance = 1e-9;  // of a measured number, as of a Part's
  std::vector<WrongMeasure> wrong = {};
};

// Makes the part. The settings are the learner's choice; each measured number is compared with what `measure`
// gives for that setting. Where one is off, the verdict says which and how, and never the right number. A
// prediction need only be a finite number. It is shown beside what was measured when the part is solved.
Part experiment_part(std::string name, int stars, Experiment learner, Experiment solution,
                     std::function<double(double setting)> measure, Question question);

}  // namespace headlight::grader
