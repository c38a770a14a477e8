// What is wrong with the numbers that a learner measured in an experiment.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment.h"
#include "grader/slips.h"

namespace headlight::grader {

// The trials of an experiment as columns.
struct Trials {
  std::vector<double> settings, predicted, measured, right;
};

// What is right for a setting.
using Measure = std::function<double(double setting)>;

// Which trials are off, and how, as far as the numbers tell: "The trial with u = 2 is off: …". It never says
// the right number, which the learner is to find out. Empty when none is off. With `measure`, numbers that
// belong to settings beside those of the trials are known too.
std::string what_is_off(const Trials& trials, const Question& question, const Measure& measure = {});

// A wrong way to measure behind a switch, which is its name.
struct WrongWay {
  std::string name, sentence;
};

// Each of these ways alone, and behind them each two together. `measure` has the switches in it, as of
// slips.h.
std::vector<WrongMeasure> wrong_measures(
    const std::function<std::vector<double>(const Made&, const std::vector<double>& settings)>& measure,
    const std::vector<WrongWay>& ways);

}  // namespace headlight::grader
