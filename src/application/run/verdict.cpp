#include "verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headlight/core/ascii.h"
#include "headlight/run/results.h"
#include "headlight/system/percent.h"
#include "headlight/tasks/text.h"

namespace headlight::run {
namespace {

using interpret::HeadScores, interpret::kAnswer, interpret::kInduction, interpret::kPreviousToken;

std::string capitalized(std::string text) {
  text[0] = ascii::to_upper(text[0]);
  return text;
}

bool is_solved(const std::optional<double>& accuracy) {
  return accuracy.value_or(0) >= tasks::kSolvedAccuracy;
}

// The certificate asks the task's sequences of training only.
std::string beside_training(const Results& r) {
  const bool solved = r.certificate->verdict != interpret::Verdict::unsolved;
  if (!solved || is_solved(r.accuracy_held_out.value_or(1))) return "";
  return fmt::format(" On sequences of a kind that the model was not trained on, its accuracy is {}.",
                     percent(*r.accuracy_held_out));
}

// What the scores say, and what the interventions decide.
std::string certified_verdict(const Results& r) {
  const HeadScores& best = interpret::best_head(r.heads, kInduction);
  const std::string decided = interpret::sentence(*r.certificate) + beside_training(r);
  if (induction_head_found(r.heads) || r.certificate->verdict != interpret::Verdict::circuit)
    return induction_verdict(r.heads) + " " + decided;
  return fmt::format("{} Its highest induction score is {:.2f}, of {}.", decided, best[kInduction],
                     interpret::head_words(best.at()));
}

// Which head looks at the tokens that the answers are copied from, if there is one.
std::string answer_verdict(const std::vector<HeadScores>& heads) {
  if (!interpret::is_scored(heads, kAnswer)) return "";
  const HeadScores& best = interpret::best_head(heads, kAnswer);
  if (best[kAnswer] < interpret::kFoundScore) return "";
  return fmt::format(" {} looks at the token that the answer is copied from, with a score of {:.2f}.",
                     capitalized(interpret::head_words(best.at())), best[kAnswer]);
}

// How far the loss is above the best possible one.
std::optional<double> regret(const Results& r) {
  const std::optional<train::Evaluation> best = best_possible(r.baselines);
  return best ? std::optional<double>(r.evaluation.loss - best->loss) : std::nullopt;
}

std::string regret_verdict(const Results& r, const tasks::TokenKinds& kinds) {
  const std::optional<double> above = regret(r);
  if (!above) return fmt::format("This task has no {} tokens to be measured on.", kinds.predictable);
  return fmt::format(
      "The model {} the task: its loss is {:.3f} nats above the best possible, the goal is {}.",
      *above <= tasks::kSolvedRegret ? "solves" : "does not solve", *above, tasks::kSolvedRegret);
}

// What a model must surpass where the best possible predictor is unknown: counting pairs, or else the last
// one.
const Baseline* surpassed(const Results& r) {
  if (r.baselines.empty() || best_possible(r.baselines)) return nullptr;
  const auto pairs = std::find_if(r.baselines.begin(), r.baselines.end(),
                                  [](const Baseline& y) { return y.name == tasks::kPairsOfCharacters; });
  return pairs == r.baselines.end() ? &r.baselines.back() : &*pairs;
}

// The losses of the model and of a baseline on the same sequences: held-out ones if there are such, since a
// text can be learned by heart.
struct Compared {
  double model, baseline;
  bool held_out;
};
Compared compared(const Results& r, const Baseline& y) {
  if (r.loss_held_out && y.loss_held_out) return {*r.loss_held_out, *y.loss_held_out, true};
  return {r.evaluation.loss, y.losses.loss, false};
}

// Whether the model knows the sequences in training, and gains more over the baseline on them than on
// held-out ones.
bool is_learned_by_heart(const Results& r, const Baseline& y) {
  constexpr double kKnown = 0.7, kByHeart = 0.2;  // nats; e^-0.7 is a probability of 0.5
  return r.evaluation.loss <= kKnown && r.loss_held_out && y.loss_held_out &&
         (*r.loss_held_out - r.evaluation.loss) - (*y.loss_held_out - y.losses.loss) > kByHeart;
}

std::string surpassing_verdict(const Results& r, const Baseline& y) {
  const Compared c = compared(r, y);
  std::string text = fmt::format(
      "The model predicts {} than counting {}: its loss{} is {:.3f} nats, that of counting {:.3f}.",
      c.model < c.baseline ? "better" : "no better", y.name, c.held_out ? " on held-out sequences" : "",
      c.model, c.baseline);
  if (const Baseline& best = r.baselines.back(); &best != &y) {
    const double loss = compared(r, best).baseline;
    text += fmt::format(" Counting {} {} it, with {:.3f}.", best.name,
                        loss < c.model ? "beats" : "does not beat", loss);
  }
  if (is_learned_by_heart(r, y))
    text += fmt::format(" It has learned by heart: on the part that it was trained on its loss is {:.3f}.",
                        r.evaluation.loss);
  if (r.lowest_held_out)
    text += fmt::format(
        " Of the snapshots measured, that of step {} had the lowest held-out loss, {:.3f}. The held-out loss "
        "has risen since, while the loss in training fell. Against this one tries fewer steps, or more text.",
        r.lowest_held_out->step, r.lowest_held_out->loss);
  return text;
}

std::string accuracy_verdict(const Results& r, const tasks::TokenKinds& kinds) {
  if (const Baseline* simple = surpassed(r)) return surpassing_verdict(r, *simple);
  const std::optional<double>& accuracy = r.evaluation.accuracy_predictable;
  if (!accuracy) return regret_verdict(r, kinds);
  const std::string goal = fmt::format("the goal is {}", percent(tasks::kSolvedAccuracy, 0));
  if (!is_solved(accuracy))
    return fmt::format("The model does not solve the task: its accuracy on {} tokens is {}, {}.",
                       kinds.predictable, percent(*accuracy), goal);
  if (is_solved(r.accuracy_held_out.value_or(1)))
    return fmt::format("The model solves the task: its accuracy on {} tokens is {}, {}.", kinds.predictable,
                       percent(*accuracy), goal);
  return fmt::format(
      "The model solves the task only on sequences of the kind that it was trained on: its accuracy is {} "
      "there, and {} on others; {}.",
      percent(*accuracy), percent(*r.accuracy_held_out), goal);
}

// The previous-token head that stands beside the induction head in a verdict, if there is a clear one.
std::optional<HeadScores> previous_before(const std::vector<HeadScores>& heads, const HeadScores& best) {
  const HeadScores previous = interpret::best_head(interpret::by_stack(heads).front(), kPreviousToken);
  if (previous.layer < best.layer && previous[kPreviousToken] >= interpret::kFoundScore) return previous;
  return std::nullopt;
}

// "; so is L1H0 (0.89)": the other heads whose score is that of an induction head.
std::string as_well(const std::vector<HeadScores>& heads, const HeadScores& best) {
  std::vector<std::string> names;
  for (const HeadScores& head : heads)
    if (head.at() != best.at() && head[kInduction] >= interpret::kFoundScore)
      names.push_back(fmt::format("{} ({:.2f})", interpret::head_code(head.at()), head[kInduction]));
  if (names.empty()) return "";
  return fmt::format("; so {} {}", names.size() > 1 ? "are" : "is", fmt::join(names, ", "));
}

}  // namespace

std::string induction_verdict(const std::vector<HeadScores>& heads) {
  const HeadScores& best = interpret::best_head(heads, kInduction);
  if (!induction_head_found(heads))
    return fmt::format("No head has an induction score of {:.1f} or more: the highest is {:.2f}, of {}.",
                       interpret::kFoundScore, best[kInduction], interpret::head_words(best.at()));
  std::string text =
      fmt::format("{} is an induction head, with a score of {:.2f}{}.",
                  capitalized(interpret::head_words(best.at())), best[kInduction], as_well(heads, best));
  if (const auto previous = previous_before(heads, best))
    text +=
        fmt::format(" {} is a previous-token head ({:.2f}){}.",
                    capitalized(interpret::head_words(previous->at())), (*previous)[kPreviousToken],
                    previous->layer + 1 == best.layer ? ", in the layer before" : ", in an earlier layer");
  return text;
}

bool induction_head_found(const std::vector<HeadScores>& heads) {
  return interpret::is_scored(heads, kInduction) &&
         interpret::best_head(heads, kInduction)[kInduction] >= interpret::kFoundScore;
}

bool passed(const Results& r, const tasks::Task& task) {
  if (r.certificate) return r.certificate->verdict == interpret::Verdict::circuit;
  if (const Baseline* simple = task.solved_by.empty() ? surpassed(r) : nullptr)
    return compared(r, *simple).model < compared(r, *simple).baseline;
  if (task.solved_by.empty() && !r.evaluation.accuracy_predictable)
    return regret(r).value_or(1) <= tasks::kSolvedRegret;
  if (task.solved_by.empty())
    return is_solved(r.evaluation.accuracy_predictable) && is_solved(r.accuracy_held_out.value_or(1));
  return interpret::is_scored(r.heads, task.solved_by) &&
         interpret::best_head(r.heads, task.solved_by)[task.solved_by] >= interpret::kFoundScore;
}

bool learned_by_heart(const Results& r) {
  const Baseline* simple = surpassed(r);
  return simple != nullptr && is_learned_by_heart(r, *simple);
}

std::string verdict(const Results& r, const tasks::Task& task) {
  if (r.certificate) return certified_verdict(r);
  if (task.solved_by == kInduction && interpret::is_scored(r.heads, kInduction))
    return induction_verdict(r.heads) +
           (!induction_head_found(r.heads) && is_solved(r.evaluation.accuracy_predictable)
                ? " The model solves the task without such a head: a low loss does not imply an induction head."
                : "");
  std::string text = accuracy_verdict(r, task.kinds);
  if (induction_head_found(r.heads)) text += " " + induction_verdict(r.heads);
  return text + answer_verdict(r.heads);
}

std::string brief_verdict(const Results& r) {
  const bool circuit = r.certificate && r.certificate->verdict == interpret::Verdict::circuit;
  if (!circuit || !induction_head_found(r.heads) || r.diverged) return r.verdict;
  const bool together = previous_before(r.heads, interpret::best_head(r.heads, kInduction)).has_value();
  return fmt::format("{} Interventions confirm {} (the certificate).", induction_verdict(r.heads),
                     together ? "that they work together" : "an induction circuit");
}

}  // namespace headlight::run
