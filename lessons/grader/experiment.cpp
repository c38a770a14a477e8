#include "grader/experiment.h"

#include <cmath>
#include <set>

#include "grader/trials.h"

namespace headlight::grader {
namespace {

template <class... Args>
void require(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) throw Refused(fmt::format(message, std::forward<Args>(args)...));
}

void require_trials(const std::vector<Trial>& trials, const Question& question) {
  std::set<double> settings;
  for (const Trial& trial : trials) {
    const double setting = trial.setting;
    require(setting >= question.least && setting <= question.most, "{} = {} is outside {} to {}.",
            question.setting, setting, question.least, question.most);
    require(!question.whole || setting == std::round(setting), "{} = {} is not a whole number.",
            question.setting, setting);
    require(std::isfinite(trial.predicted), "The trial with {} = {} has no prediction.", question.setting,
            setting);
    settings.insert(setting);
  }
  require(settings.size() >= question.trials,
          "Expected at least {} trials with different values of {}, got {}.", question.trials,
          question.setting, settings.size());
}

}  // namespace

Part experiment_part(std::string name, int stars, Experiment learner, Experiment solution,
                     std::function<double(double)> measure, Question question) {
  Part part{std::move(name), stars, question.tolerance, {}, {}};
  const std::vector<Experiment> functions{learner, solution};
  part.calls.push_back({part.name + "()", {}, [functions, question](std::size_t implementation) {
                          const std::vector<Trial> trials = functions.at(implementation)();
                          require_trials(trials, question);
                          std::vector<double> settings, predicted, measured;
                          for (const Trial& trial : trials) {
                            settings.push_back(trial.setting);
                            predicted.push_back(trial.predicted);
                            measured.push_back(trial.measured);
                          }
                          return Result{shown(question.setting, settings), shown("predicted", predicted),
                                        shown(question.measured, measured)};
                        }});
  for (const WrongMeasure& way : question.wrong)
    if (way.of.empty()) part.wrong_ways.emplace_back(way.sentence, way.measure);
  part.what_is_off = [measure = std::move(measure), question](const Result& found) {
    std::vector<double> right;
    for (const double setting : found[0].numbers) right.push_back(measure(setting));
    return what_is_off({found[0].numbers, found[1].numbers, found[2].numbers, right}, question, measure);
  };
  return part;
}

}  // namespace headlight::grader
