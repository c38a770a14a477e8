#include "headlight/experiment/results.h"

#include <fmt/core.h>

#include "headlight/report/head_table.h"
#include "json.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

using interpret::HeadScores;
using interpret::kInduction;
using interpret::kPreviousToken;

ordered_json best_json(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  return {{"layer", best.layer}, {"head", best.head}, {"score", best[key]}};
}

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }
std::string nats(double loss) { return fmt::format("{:.4f} nats", loss); }
std::string best_text(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  return fmt::format("{:.3f} in head {}", best[key], report::head_name(best));
}

Results read(const ordered_json& json) {
  Results r;
  r.command = json.at("command"), r.version = json.at("version"), r.task = json.at("task");
  r.seed = json.at("seed"), r.steps = json.at("steps"), r.interrupted = json.at("interrupted");
  r.train_seconds = json.at("train_seconds"), r.tokens_per_second = json.at("tokens_per_second");
  r.formed_at_step = optional_of<std::int64_t>(json.at("formed_at_step"));
  r.formed_at_seconds = optional_of<double>(json.at("formed_at_seconds"));
  const ordered_json &accuracy = json.at("accuracy"), &loss = json.at("loss");
  r.evaluation.accuracy_predictable = optional_of<double>(accuracy.at("predictable"));
  r.accuracy_held_out = optional_of<double>(accuracy.at("held_out_period"));
  r.loss_first = loss.at("first"), r.loss_last = loss.at("last");
  r.evaluation.loss = loss.value("all", 0.0);  // not in format 1
  r.evaluation.loss_predictable = optional_of<double>(loss.at("predictable"));
  r.evaluation.loss_unpredictable = optional_of<double>(loss.at("unpredictable"));
  r.heads = heads_from(json.at("heads"));
  return r;
}

}  // namespace

bool induction_head_found(const std::vector<HeadScores>& heads) {
  return !heads.empty() && interpret::best_head(heads, kInduction)[kInduction] >= interpret::kFoundScore;
}

std::string verdict(const std::vector<HeadScores>& heads) {
  if (heads.empty()) return "Heads have no scores on this task.";
  const HeadScores& best = interpret::best_head(heads, kInduction);
  const HeadScores& previous = interpret::best_head(heads, kPreviousToken);
  if (!induction_head_found(heads))
    return fmt::format(
        "No induction head was found: the best score is {:.2f}, in head {}; {:.1f} counts as found.",
        best[kInduction], report::head_name(best), interpret::kFoundScore);
  std::string text = fmt::format("Head {} is an induction head, with a score of {:.2f}.",
                                 report::head_name(best), best[kInduction]);
  if (previous.layer < best.layer && previous[kPreviousToken] >= interpret::kFoundScore)
    text += fmt::format(" Head {} below it looks at the previous token ({:.2f}).",
                        report::head_name(previous), previous[kPreviousToken]);
  return text;
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
                         {"unpredictable", or_null(e.loss_unpredictable, "loss_unpredictable")}}},
                       {"heads", heads_json(r.heads)}};
  if (!r.heads.empty())
    json["best"] = {{kInduction, best_json(r.heads, kInduction)},
                    {kPreviousToken, best_json(r.heads, kPreviousToken)}};
  json["passed"] = induction_head_found(r.heads);
  json["interrupted"] = r.interrupted;
  // The command may hold any bytes; what is no UTF-8 is replaced.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Results results_from_json(const std::string& text, const std::string& file) {
  try {
    return read(ordered_json::parse(text));
  } catch (const ordered_json::exception&) {
    fail("'{}' is damaged, or of another version.", file);
  }
}

Facts facts(const Results& r) {
  Facts facts;
  const auto add = [&](const char* name, std::string value) { facts.emplace_back(name, std::move(value)); };
  if (!r.command.empty()) add("command", r.command);
  add("made with", r.version);
  add("seed", std::to_string(r.seed));
  add("steps of training", std::to_string(r.steps) + (r.interrupted ? ", then interrupted" : ""));
  add("time of training",
      fmt::format("{:.1f} s, {:.0f} tokens a second", r.train_seconds, r.tokens_per_second));
  if (r.formed_at_step && r.formed_at_seconds)
    add("half of the predictable tokens right",
        fmt::format("first at step {}, after {:.1f} s", *r.formed_at_step, *r.formed_at_seconds));
  const train::Evaluation& e = r.evaluation;
  if (e.accuracy_predictable) add("predictable tokens right", percent(*e.accuracy_predictable));
  if (r.accuracy_held_out) add("the same at lengths never trained on", percent(*r.accuracy_held_out));
  if (e.loss_predictable) add("loss on predictable tokens", nats(*e.loss_predictable));
  if (e.loss_unpredictable) add("loss on unpredictable tokens", nats(*e.loss_unpredictable));
  if (r.heads.empty()) return facts;
  add("best induction score", best_text(r.heads, kInduction));
  add("best previous-token score", best_text(r.heads, kPreviousToken));
  return facts;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
