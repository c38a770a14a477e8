#include <numeric>
#include <utility>

#include "headlight/interpret/attribution.h"
#include "headlight/system/percent.h"
#include "studied_place.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kPathsShown = 16, kPartsShown = 16;

std::int32_t one_token(const run::Run& run, const std::string& text) {
  const std::vector<std::int32_t> tokens = run.task.vocabulary.tokens(text);
  check(tokens.size() == 1, "'{}' is {} tokens of this run: expected one.", text, tokens.size());
  return tokens[0];
}

Prediction prediction_at(const StudiedPlace& place, std::size_t position) {
  const NoGrad no_grad;
  const Array logits = (*place.run.model)(place.tokens(), {}, place.given()).array();  // (1,n,V)
  return prediction_of(logits.data() + position * logits.shape()[2], logits.shape()[2]);
}

// "direct", "L0H1 → L1H0", "MLP 0 → L1H0", "MLP 1"
std::string path_name(const interpret::PathTerm& term) {
  using interpret::SourceKind;
  std::string name = term.source.kind == SourceKind::mlp    ? fmt::format("MLP {}", term.source.layer)
                     : term.source.kind == SourceKind::head ? term.source.name
                                                            : "";
  for (const interpret::HeadAt& head : term.heads)
    name += (name.empty() ? "" : " → ") + interpret::head_code(head);
  return name.empty() ? "direct" : name;
}

// Path, contribution, and the position that contributes most.
std::vector<StudyCell> path_row(const StudiedPlace& place, const interpret::PathTerm& term) {
  std::vector<StudyCell> row{path_name(term), term.value};
  const std::size_t main = term.main_position();
  if (term.by_position.empty() || main >= place.example.tokens.size())
    return {row[0], row[1], StudyCell(), StudyCell(), StudyCell()};
  row.emplace_back(static_cast<std::int64_t>(main));
  row.emplace_back(printable_token(place.run.task.vocabulary.text(place.example.tokens[main])));
  row.emplace_back(term.by_position[main]);
  return row;
}

std::vector<StudyColumn> path_columns() {
  return {{"path", "path"},
          {"contribution", "contribution", 3, true},
          {"position", "most from"},
          {"token", "token"},
          {"of_position", "of it", 3, true}};
}

StudyTable attributed_paths(const StudiedPlace& place, std::vector<interpret::PathTerm> paths) {
  StudyTable table{"paths", "By path, largest first:", path_columns()};
  largest_first(paths);
  for (const auto& term : paths) table.rows.push_back(path_row(place, term));
  table.most_rows = kPathsShown;
  double rest = 0;
  for (std::size_t i = kPathsShown; i < paths.size(); ++i) rest += paths[i].value;
  if (paths.size() > kPathsShown)
    table.sentences = {fmt::format("The other {} paths add {:+.3f}.", paths.size() - kPathsShown, rest)};
  return table;
}

StudyTable attributed_parts(const StudiedPlace& place, std::vector<interpret::PathTerm> paths) {
  StudyTable table{"parts", "By path and by what its first head reads, largest first:", path_columns()};
  table.columns.insert(table.columns.begin() + 1, {"source", "source"});
  largest_first(paths);
  for (auto& term : paths) {
    const std::string source = std::exchange(term.source, {}).name;
    auto row = path_row(place, term);
    row.insert(row.begin() + 1, source);
    table.rows.push_back(std::move(row));
  }
  table.most_rows = kPartsShown;
  return table;
}

}  // namespace

Study logit_study(const run::Run& run, const AttributionRequest& request) {
  const StudiedPlace place(run, request);
  const Prediction prediction = prediction_at(place, request.position);
  const std::int32_t target = place.example.targets[request.position];
  const std::int32_t token = !request.token.empty()       ? one_token(run, request.token)
                             : target != tasks::kNoTarget ? target
                                                          : prediction.token;
  interpret::LogitOptions options;
  options.minus_mean = request.minus_mean;
  if (!request.minus.empty()) options.minus = one_token(run, request.minus);
  const interpret::LogitAttribution a = interpret::logit_attribution(
      *run.model, place.tokens(), request.position, token, options, place.given());
  const std::vector<interpret::PathTerm> paths = interpret::by_writers(a);
  const double sum = std::accumulate(paths.begin(), paths.end(), 0.0,
                                     [](double all, const auto& term) { return all + term.value; });
  const double p = prediction.probabilities[static_cast<std::size_t>(token)];
  const std::string what = "the logit of " + place.quoted(token) +
                           (options.minus        ? " less that of " + place.quoted(*options.minus)
                            : options.minus_mean ? std::string(" less the mean of all")
                                                 : std::string());
  Study study{"logit"};
  study.facts = {{"position", static_cast<std::int64_t>(request.position)},
                 {"read", run.task.vocabulary.text(place.example.tokens[request.position])},
                 {"token", run.task.vocabulary.text(token)},
                 {"logit", a.logit},
                 {"sum_of_paths", sum},
                 {"probability", p}};
  study.sentences = {
      fmt::format("After {}, the model gives {} {}; its most likely token is {}, {}.{}",
                  place.at(request.position), place.quoted(token), percent(p), place.quoted(prediction.token),
                  percent(prediction.probability),
                  target == tasks::kNoTarget ? "" : " The right one is " + place.quoted(target) + "."),
      fmt::format("Here {} is {:+.4f}; {} path{} add up to {:+.4f}.", what, a.logit, paths.size(),
                  paths.size() == 1 ? "" : "s", sum)};
  study.tables = {attributed_paths(place, paths), attributed_parts(place, a.paths)};
  draw::Bars bars{fmt::format("Paths to {} at {}", what, request.position), "logits", {}, {}, 3};
  for (std::size_t i = 0; i < std::min(study.tables[0].rows.size(), kPathsShown); ++i) {
    bars.labels.push_back(std::get<std::string>(study.tables[0].rows[i][0]));
    bars.values.push_back(std::get<double>(study.tables[0].rows[i][1]));
  }
  study.picture = std::move(bars);
  return study;
}

}  // namespace headlight::studies
