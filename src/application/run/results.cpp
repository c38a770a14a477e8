#include "headlight/run/results.h"

#include <fmt/core.h>

#include "headlight/run/run_files.h"
#include "headlight/system/percent.h"
#include "headlight/system/text.h"
#include "run/files/certificate_json.h"
#include "run/files/fields.h"
#include "run/files/json.h"
#include "verdict.h"

namespace headlight::run {
namespace {

using interpret::HeadScores, interpret::kAnswer, interpret::kInduction, interpret::kPreviousToken;

ordered_json best_json(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  ordered_json json{{"layer", best.layer}, {"head", best.head}, {"score", best[key]}};
  if (best.stack != interpret::Stack::self) json["stack"] = interpret::names_of(best.stack).key;
  return json;
}

std::string nats(double loss) { return fmt::format("{:.4f} nats", loss); }
std::string best_text(const std::vector<HeadScores>& heads, const char* key) {
  const HeadScores& best = interpret::best_head(heads, key);
  return fmt::format("{:.3f}, {}", best[key], interpret::head_words(best.at()));
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
  // Until 0.2 it was called held_out_period, for every task.
  const char* held_out = accuracy.has("held_out_period") ? "held_out_period" : "held_out";
  r.accuracy_held_out = accuracy.maybe(&Fields::part, held_out);
  read_losses(f.object("loss"), r);
  if (f.has("best_possible_loss")) {
    for (const Fields& reference : f.objects("reference_losses"))
      r.baselines.push_back(
          {reference.text("name"), losses_from(reference),
           reference.has("held_out") ? reference.maybe(&Fields::measure, "held_out") : std::nullopt});
    if (f.has_value("best_possible_loss"))
      r.baselines.push_back({kBestPossible, losses_from(f.object("best_possible_loss"))});
  }
  if (f.has("lowest_held_out")) {
    const Fields lowest = f.object("lowest_held_out");
    r.lowest_held_out = LowestHeldOut{lowest.count("step"), lowest.measure("loss")};
    check(r.lowest_held_out->step <= r.steps, "its held-out loss was lowest after the {} steps of the run",
          r.steps);
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
                         {"held_out", or_null(r.accuracy_held_out, "accuracy_held_out")}}},
                       {"loss",
                        {{"first", finite(r.loss_first, "first loss")},
                         {"last", finite(r.loss_last, "last loss")},
                         {"all", finite(e.loss, "loss")},
                         {"predictable", or_null(e.loss_predictable, "loss_predictable")},
                         {"unpredictable", or_null(e.loss_unpredictable, "loss_unpredictable")},
                         {"held_out", or_null(r.loss_held_out, "loss_held_out")}}},
                       {"heads", heads_json(r.heads)}};
  if (r.lowest_held_out)
    json["lowest_held_out"] = {{"step", r.lowest_held_out->step},
                               {"loss", finite(r.lowest_held_out->loss, "lowest held-out loss")}};
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
        *r.formed_at_step == 0
            ? "at step 0 already"
            : fmt::format("first at step {}, after {:.1f} s", *r.formed_at_step, *r.formed_at_seconds));
  const train::Evaluation& e = r.evaluation;
  if (e.accuracy_predictable) add(kinds.predictable + " accuracy", percent(*e.accuracy_predictable));
  if (r.accuracy_held_out) add("the same on held-out sequences", percent(*r.accuracy_held_out));
  if (e.loss_predictable) add("loss on " + kinds.predictable + " tokens", nats(*e.loss_predictable));
  if (e.loss_unpredictable) add("loss on " + kinds.others + " tokens", nats(*e.loss_unpredictable));
  add("loss on all tokens", nats(e.loss));
  if (r.loss_held_out) add("loss on held-out sequences", nats(*r.loss_held_out));
  if (r.lowest_held_out)
    add("the lowest of the snapshots measured",
        fmt::format("{} at step {}", nats(r.lowest_held_out->loss), r.lowest_held_out->step));
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
