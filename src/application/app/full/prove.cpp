#include <fmt/core.h>

#include <algorithm>

#include "app/output/json.h"
#include "commands.h"
#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/studies/all_inputs.h"
#include "headlight/studies/stability.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

constexpr std::size_t kMostRedraws = 1000;

ordered_json json_of_all_inputs(const interpret::AllInputs& all) {
  return {{"length", all.length},
          {"tokens", all.tokens},
          {"inputs", all.inputs},
          {"right", all.right},
          {"wrong", all.wrong},
          {"undecided", all.undecided},
          {"accuracy", all.accuracy()},
          {"least_margin", all.closest.empty() ? ordered_json() : ordered_json(all.least_margin)},
          {"largest_radius", all.largest_radius}};
}

ordered_json json_of_bound(const interpret::WeightsBound& bound) {
  ordered_json json = {{"length", bound.length},
                       {"tokens", bound.tokens},
                       {"inputs", bound.inputs},
                       {"proven", bound.proven()},
                       {"accuracy_at_least", bound.accuracy()}};
  for (const interpret::BoundLevel& level : bound.levels)
    json["levels"].push_back({{"known", level.known}, {"cases", level.cases}, {"proven", level.proven}});
  const auto term = [](const interpret::BoundTerm& t) {
    return ordered_json{{"least", t.least}, {"mean", t.mean}};
  };
  json["steps"] = {{"previous", term(bound.previous)},
                   {"lead", term(bound.lead)},
                   {"weight", term(bound.weight)},
                   {"margin", term(bound.margin)}};
  return json;
}

ordered_json json_of_stability(const studies::Stability& stability) {
  ordered_json json = {{"draws", stability.draws}, {"circuits", stability.circuits}};
  json["heads"] = ordered_json::array();
  for (const studies::NamedHead& head : stability.heads)
    json["heads"].push_back({{"head", interpret::head_code(head.head)},
                             {"induction", head.induction},
                             {"previous_token", head.previous_token},
                             {"helper", head.helper}});
  return json;
}

}  // namespace

int prove(const std::string& folder, const ProofOptions& options, bool as_json, ThreadPool& pool) {
  check((options.all_inputs > 0) + (options.from_weights > 0) + (options.redraws > 0) == 1,
        "give one of --all-inputs, --from-weights and --redraws.");
  check(options.redraws <= kMostRedraws, "expected at most {} redraws, got {}.", kMostRedraws,
        options.redraws);
  const run::Run run = chosen_run(folder, run::parts::kTrained);
  const std::size_t columns = draw::terminal_columns();
  ordered_json json = json_of("certify", folder);
  std::string text;
  bool whole = false;
  if (options.all_inputs > 0) {
    const auto all = interpret::try_all_inputs(*run.model, run.task, options.all_inputs, pool);
    json["all_inputs"] = json_of_all_inputs(all);
    text = studies::all_inputs_text(all, run.task.vocabulary, columns);
    whole = all.right == all.inputs;
  } else if (options.from_weights > 0) {
    // All different tokens but one, so that no input is tried by itself.
    const std::size_t known = std::max(options.from_weights, std::size_t{4}) - 2;
    const auto bound = interpret::bound_from_weights(*run.model, run.task, options.from_weights, known, pool);
    json["from_weights"] = json_of_bound(bound);
    text = studies::weights_bound_text(bound, columns);
    whole = bound.proven() == bound.inputs;
  } else {
    const studies::Stability stability = studies::stability(run, options.redraws, pool);
    json["redraws"] = json_of_stability(stability);
    text = studies::stability_text(stability, columns);
    whole = stability.circuits == stability.draws;
  }
  if (as_json)
    print_json(json);
  else
    fmt::print("{}", text);
  return whole ? 0 : kNotFound;
}

}  // namespace headlight::app
