#include "headlight/run/results.h"

#include <fmt/core.h>

#include <cctype>

#include "certificate_json.h"
#include "fields.h"
#include "headlight/run/run_files.h"
#include "headlight/system/text.h"
#include "headlight/tasks/text.h"
#include "json.h"

namespace headlight::run {
namespace {

using interpret::HeadScores, interpret::kAnswer, interpret::kInduction, interpret::kPreviousToken;

ordered_json best_json(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  ordered_json json{{"layer", best.layer}, {"head", best.head}, {"score", best[key]}};
  if (best.stack != interpret::Stack::self) json["stack"] = interpret::names_of(best.stack).key;
  return json;
}

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }
std::string nats(double loss) { return fmt::format("{:.4f} nats", loss); }
std::string best_text(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  return fmt::format("{:.3f}, {}", best[key], interpret::head_words(best.at()));
}

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string induction_verdict(const std::vector<HeadScores>& heads) {
  const HeadScores& best = interpret::best_head(heads, kInduction);
  const HeadScores previous = interpret::best_head(interpret::by_stack(heads).front(), kPreviousToken);
  if (!induction_head_found(heads))
    return fmt::format(
        "No induction head was found: the highest induction score is {:.2f}, of {}; the threshold is {:.1f}.",
        best[kInduction], interpret::head_words(best.at()), interpret::kFoundScore);
  std::string text = fmt::format("{} is an induction head, with a score of {:.2f}.",
                                 capitalized(interpret::head_words(best.at())), best[kInduction]);
  if (previous.layer < best.layer && previous[kPreviousToken] >= interpret::kFoundScore)
    text += fmt::format(" {} is a previous-token head ({:.2f}){}.",
                        capitalized(interpret::head_words(previous.at())), previous[kPreviousToken],
                        previous.layer + 1 == best.layer ? ", in the layer before" : ", in an earlier layer");
  return text;
}

// What the scores say, and what the interventions decide.
std::string certified_verdict(const Results& r) {
  const HeadScores& best = interpret::best_head(r.heads, kInduction);
  const std::string decided = interpret::sentence(*r.certificate);
  if (induction_head_found(r.heads) || r.certificate->verdict != interpret::Verdict::circuit)
    return induction_verdict(r.heads) + " " + decided;
  return fmt::format("{} Its highest induction score is {:.2f}, of {}.", decided, best[kInduction],
                     interpret::head_words(best.at()));
}

// Which head looks at the tokens that hold the answers, if there is one.
std::string answer_verdict(const std::vector<HeadScores>& heads) {
  if (!interpret::is_scored(heads, kAnswer)) return "";
  const HeadScores& best = interpret::best_head(heads, kAnswer);
  if (best[kAnswer] < interpret::kFoundScore) return "";
  return fmt::format(" {} looks at the token that holds the answer, with a score of {:.2f}.",
                     capitalized(interpret::head_words(best.at())), best[kAnswer]);
}

bool is_solved(const std::optional<double>& accuracy) {
  return accuracy.value_or(0) >= tasks::kSolvedAccuracy;
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

// By how much more the model gains over the baseline on sequences as in training than on held-out ones.
bool is_learned_by_heart(const Results& r, const Baseline& y) {
  constexpr double kByHeart = 0.2;  // nats
  return r.loss_held_out && y.loss_held_out &&
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
  return text;
}

std::string accuracy_verdict(const Results& r, const tasks::TokenKinds& kinds) {
  if (const Baseline* simple = surpassed(r)) return surpassing_verdict(r, *simple);
  const std::optional<double>& accuracy = r.evaluation.accuracy_predictable;
  if (!accuracy) return regret_verdict(r, kinds);
  const std::string goal = fmt::format("the goal is {:.0f} %", 100 * tasks::kSolvedAccuracy);
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

ordered_json losses_json(const train::Evaluation& e) {
  return {{"all", finite(e.loss, "loss")},
          {"predictable", or_null(e.loss_predictable, "loss_predictable")},
          {"unpredictable", or_null(e.loss_unpredictable, "loss_unpredictable")}};
}

train::Evaluation losses_from(const Fields& fields) {
  train::Evaluation e;
  e.loss = fields.measure("all");
  e.loss_predictable = fields.maybe(&Fields::measure, "predictable");
  e.loss_unpredictable = fields.maybe(&Fields::measure, "unpredictable");
  return e;
}

void add_baselines(ordered_json& json, const std::vector<Baseline>& baselines) {
  const std::optional<train::Evaluation> best = best_possible(baselines);
  json["best_possible_loss"] = best ? losses_json(*best) : ordered_json();
  json["reference_losses"] = ordered_json::array();
  for (const Baseline& y : baselines) {
    if (y.name == kBestPossible) continue;
    ordered_json named{{"name", y.name}};
    named.update(losses_json(y.losses));
    if (y.loss_held_out) named["held_out"] = finite(*y.loss_held_out, "loss_held_out");
    json["reference_losses"].push_back(std::move(named));
  }
}

void read_losses(const Fields& loss, Results& r) {
  r.loss_first = loss.measure("first"), r.loss_last = loss.measure("last");
  if (loss.has("all")) r.evaluation.loss = loss.measure("all");  // not in format 1
  if (loss.has("held_out")) r.loss_held_out = loss.maybe(&Fields::measure, "held_out");
  r.evaluation.loss_predictable = loss.maybe(&Fields::measure, "predictable");
  r.evaluation.loss_unpredictable = loss.maybe(&Fields::measure, "unpredictable");
}

// What older folders lack has its default.
Results read(const Fields& f) {
  Results r;
  r.command = f.text("command", kMostFieldBytes), r.version = f.text("version"), r.task = f.text("task");
  r.seed = f.seed("seed"), r.steps = f.count("steps"), r.interrupted = f.flag("interrupted");
  r.train_seconds = f.time("train_seconds"), r.tokens_per_second = f.measure("tokens_per_second");
  r.formed_at_step = f.maybe(&Fields::count, "formed_at_step");
  r.formed_at_seconds = f.maybe(&Fields::time, "formed_at_seconds");
  const Fields accuracy = f.object("accuracy");
  r.evaluation.accuracy_predictable = accuracy.maybe(&Fields::part, "predictable");
  r.accuracy_held_out = accuracy.maybe(&Fields::part, "held_out_period");
  read_losses(f.object("loss"), r);
  if (f.has("best_possible_loss")) {
    for (const Fields& reference : f.objects("reference_losses"))
      r.baselines.push_back(
          {reference.text("name"), losses_from(reference),
           reference.has("held_out") ? reference.maybe(&Fields::measure, "held_out") : std::nullopt});
    if (f.has_value("best_possible_loss"))
      r.baselines.push_back({kBestPossible, losses_from(f.object("best_possible_loss"))});
  }
  r.heads = heads_from(f.objects("heads"));
  r.passed = f.flag("passed");
  r.verdict = f.has("verdict") ? f.text("verdict") : induction_verdict(r.heads);
  if (f.has("diverged")) r.diverged = f.flag("diverged");
  if (f.has("certificate")) r.certificate = certificate_from(f.object("certificate"));
  check(!r.certificate || r.passed == (r.certificate->verdict == interpret::Verdict::circuit),
        "'passed' contradicts the certificate");
  check(!r.certificate || r.certificate->formation.empty() || r.certificate->formation.back().step <= r.steps,
        "its certificate formed after the {} steps of the run", r.steps);
  check(r.formed_at_step.value_or(0) <= r.steps, "'formed_at_step' is after the {} steps of the run",
        r.steps);
  return r;
}

}  // namespace

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

std::string verdict(const Results& r, const tasks::Task& task) {
  if (r.certificate) return certified_verdict(r);
  if (task.solved_by == kInduction && interpret::is_scored(r.heads, kInduction))
    return induction_verdict(r.heads) +
           (!induction_head_found(r.heads) && is_solved(r.evaluation.accuracy_predictable)
                ? " The model solves the task without one: a low loss does not imply an induction head."
                : "");
  std::string text = accuracy_verdict(r, task.kinds);
  if (induction_head_found(r.heads)) text += " " + induction_verdict(r.heads);
  return text + answer_verdict(r.heads);
}

std::string brief_verdict(const Results& r) {
  const bool circuit = r.certificate && r.certificate->verdict == interpret::Verdict::circuit;
  if (!circuit || !induction_head_found(r.heads) || r.diverged) return r.verdict;
  return induction_verdict(r.heads) + " Its circuit is certified.";
}

std::string to_json(const Results& r) {
  const train::Evaluation& e = r.evaluation;
  ordered_json json = {{"command", r.command},
                       {"version", r.version},
                       {"task", r.task},
                       {"seed", r.seed},
                       {"steps", r.steps},
                       {"train_seconds", r.train_seconds},
                       {"tokens_per_second", r.tokens_per_second},
                       {"formed_at_step", or_null(r.formed_at_step)},
                       {"formed_at_seconds", or_null(r.formed_at_seconds)},
                       {"accuracy",
                        {{"predictable", or_null(e.accuracy_predictable, "accuracy")},
                         {"held_out_period", or_null(r.accuracy_held_out, "held_out_period")}}},
                       {"loss",
                        {{"first", finite(r.loss_first, "first loss")},
                         {"last", finite(r.loss_last, "last loss")},
                         {"all", finite(e.loss, "loss")},
                         {"predictable", or_null(e.loss_predictable, "loss_predictable")},
                         {"unpredictable", or_null(e.loss_unpredictable, "loss_unpredictable")},
                         {"held_out", or_null(r.loss_held_out, "loss_held_out")}}},
                       {"heads", heads_json(r.heads)}};
  add_baselines(json, r.baselines);
  for (const char* key : {kInduction, kPreviousToken, kAnswer})
    if (interpret::is_scored(r.heads, key)) json["best"][key] = best_json(r.heads, key);
  if (r.certificate) json["certificate"] = certificate_json(*r.certificate);
  json["passed"] = r.passed;
  json["verdict"] = r.verdict;
  json["interrupted"] = r.interrupted;
  json["diverged"] = r.diverged;
  json["manifest"] = files::kManifest;  // so that a manifest that is missing is missed
  // The command may hold any bytes; invalid UTF-8 is replaced.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Results results_from_json(const std::string& text, const std::string& file) {
  return with_file_in_errors(file, [&] { return read(Fields::of_text(text)); });
}

Facts facts(const Results& r, const tasks::TokenKinds& kinds) {
  Facts facts;
  const auto add = [&](const std::string& name, std::string value) {
    facts.emplace_back(name, std::move(value));
  };
  if (!r.command.empty()) add("command", cut_in_middle(r.command, kMostText));
  add("made with", r.version);
  add("seed", std::to_string(r.seed));
  add("steps of training", std::to_string(r.steps) + (r.interrupted ? ", then interrupted" : ""));
  add("time of training",
      fmt::format("{:.1f} s, {:.0f} tokens a second", r.train_seconds, r.tokens_per_second));
  if (r.formed_at_step && r.formed_at_seconds)
    add(kinds.predictable + " accuracy of 50 %",
        fmt::format("first at step {}, after {:.1f} s", *r.formed_at_step, *r.formed_at_seconds));
  const train::Evaluation& e = r.evaluation;
  if (e.accuracy_predictable) add(kinds.predictable + " accuracy", percent(*e.accuracy_predictable));
  if (r.accuracy_held_out) add("the same on held-out sequences", percent(*r.accuracy_held_out));
  if (e.loss_predictable) add("loss on " + kinds.predictable + " tokens", nats(*e.loss_predictable));
  if (e.loss_unpredictable) add("loss on " + kinds.others + " tokens", nats(*e.loss_unpredictable));
  add("loss on all tokens", nats(e.loss));
  if (r.loss_held_out) add("loss on held-out sequences", nats(*r.loss_held_out));
  if (r.certificate) add("certificate", interpret::to_string(r.certificate->verdict));
  for (const Baseline& y : r.baselines)
    facts.emplace_back(y.name == kBestPossible ? "best possible loss" : "loss of " + y.name,
                       y.loss_held_out ? fmt::format("{}; {} on held-out sequences", nats(y.losses.loss),
                                                     nats(*y.loss_held_out))
                                       : nats(y.losses.loss));
  for (const auto& [key, name] :
       {std::pair{kInduction, "best induction score"}, std::pair{kPreviousToken, "best previous-token score"},
        std::pair{kAnswer, "best answer score"}})
    if (interpret::is_scored(r.heads, key)) add(name, best_text(r.heads, key));
  return facts;
}

}  // namespace headlight::run
