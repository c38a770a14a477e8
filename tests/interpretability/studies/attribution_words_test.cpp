// What the studies of one logit, of one score and of gradients say, and where their numbers stand.
#include "headlight/interpret/attribution.h"

#include <cmath>
#include <map>
#include <set>

#include "headlight/autograd/record.h"
#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/circuits.h"
#include "headlight/interpret/gradient_norms.h"
#include "headlight/interpret/head_gradients.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/examples.h"
#include "headlight/studies/head_studies.h"
#include "headlight/train/weights.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

const run::Example& example() {
  static const run::Example first = run::first_example(small_run().task, small_run().config.train.seed);
  return first;
}

std::string letter(std::int32_t token) { return std::string(1, static_cast<char>('A' + token)); }

// "'B' at 4"
std::string at(std::size_t position) {
  return fmt::format("'{}' at {}", letter(example().tokens[position]), position);
}

// The probabilities of the next token.
std::vector<double> probabilities(std::size_t position) {
  const NoGrad no_grad;
  const Array logits = (*small_run().model)(nn::one_sequence(example().tokens)).array();
  std::vector<double> p;
  double sum = 0;
  for (std::size_t v = 0; v < 12; ++v)
    sum += p.emplace_back(std::exp(static_cast<double>(logits(0, position, v))));
  for (double& x : p) x /= sum;
  return p;
}

const std::string kLogitColumns =
    "  contribution: \"contribution\" 3 signed\n  position: \"most from\" 3\n  token: \"token\" 3\n"
    "  of_position: \"of it\" 3 signed\n  the first 16 rows\n";

std::string outline_of_logit(std::size_t position, std::int32_t token, const std::string& what,
                             double logit) {
  const std::vector<double> p = probabilities(position);
  const auto most = static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin());
  const double share = p[static_cast<std::size_t>(token)];
  return fmt::format(
      "logit\n"
      "position = {}\n"
      "read = {}\n"
      "token = {}\n"
      "logit = {:.4f}\n"
      "sum_of_paths = {:.4f}\n"
      "probability = {:.4f}\n"
      "After {}, the model gives '{}' {:.1f} %; its most likely token is '{}', {:.1f} %. The "
      "right one is '{}'.\n"
      "Here the logit of {} is {:+.4f}; 9 paths add up to {:+.4f}.\n"
      "[paths] By path, largest first:\n"
      "  path: \"path\" 3\n"
      "{}[parts] By path and by what its first head reads, largest first:\n"
      "  path: \"path\" 3\n"
      "  source: \"source\" 3\n"
      "{}bars Paths to the logit of {} at {}: logits 3\n",
      position, letter(example().tokens[position]), letter(token), logit, logit, share, at(position),
      letter(token), 100 * share, letter(most), 100 * p[static_cast<std::size_t>(most)],
      letter(example().targets[position]), what, logit, logit, kLogitColumns, kLogitColumns, what, position);
}

// Of a source at a position: what the table and what the sentence call it.
std::pair<std::string, std::string> source_words(const interpret::Source& source, std::size_t position,
                                                 const std::optional<std::size_t>& from) {
  if (source.name == "embed")
    return {fmt::format("token '{}'", letter(example().tokens[position])), "the token " + at(position)};
  if (!from) return {source.name, fmt::format("{} at {}", source.name, position)};
  return {fmt::format("{}, looking most at {}", source.name, at(*from)),
          fmt::format("what {} wrote at {} (it looks most at {} there)", source.name, position, at(*from))};
}

}  // namespace

TEST_CASE("the study of a logit", "[studies][words]") {
  const nn::Transformer& model = *small_run().model;
  const IntArray tokens = nn::one_sequence(example().tokens);
  const NoGrad no_grad;
  const Array logits = model(tokens).array();
  const auto logit = [&](std::size_t position, std::int32_t token) {
    return static_cast<double>(logits(0, position, static_cast<std::size_t>(token)));
  };
  const std::int32_t target = example().targets[9];
  const Study of_target = logit_study(small_run(), {.position = 9});
  CHECK(outline(of_target) ==
        outline_of_logit(9, target, fmt::format("'{}'", letter(target)), logit(9, target)));
  CHECK(outline(logit_study(small_run(), {.position = 7, .token = "D", .minus = "C"})) ==
        outline_of_logit(7, 3, "'D' less that of 'C'", logit(7, 3) - logit(7, 2)));
  double mean = 0;
  for (std::int32_t v = 0; v < 12; ++v) mean += logit(2, v) / 12;
  CHECK(outline(logit_study(small_run(), {.position = 2, .token = "B", .minus_mean = true})) ==
        outline_of_logit(2, 1, "'B' less the mean of all", logit(2, 1) - mean));

  const auto a = interpret::logit_attribution(model, tokens, 9, target, {});
  const auto paths = interpret::by_writers(a);
  const auto& rows = of_target.tables[0].rows;
  REQUIRE(rows.size() == paths.size());
  const auto& bars = std::get<draw::Bars>(of_target.picture);
  double last = HUGE_VAL;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(bars.labels[i] == text(rows[i][0]));
    CHECK(bars.values[i] == number(rows[i][1]));
    CHECK(std::abs(number(rows[i][1])) <= last);
    last = std::abs(number(rows[i][1]));
    for (const interpret::PathTerm& path : paths) {
      if (path.value != number(rows[i][1])) continue;
      std::string name;
      for (const interpret::HeadAt& head : path.heads)
        name += (name.empty() ? "" : " → ") + interpret::head_code(head);
      CHECK(text(rows[i][0]) == (name.empty() ? "direct" : name));
      std::size_t main = 0;  // the most of its sign
      for (std::size_t p = 0; p < path.by_position.size(); ++p)
        if (path.by_position[p] * path.value > path.by_position[main] * path.value) main = p;
      CHECK(std::get<std::int64_t>(rows[i][2]) == static_cast<std::int64_t>(main));
      CHECK(text(rows[i][3]) == letter(example().tokens[main]));
      CHECK(number(rows[i][4]) == path.by_position[main]);
    }
  }
}

TEST_CASE("the study of a score", "[studies][words]") {
  const nn::Transformer& model = *small_run().model;
  const IntArray tokens = nn::one_sequence(example().tokens);
  const auto run = interpret::run_with_cache(model, tokens);
  const Array& pattern = run.cache["blocks.1.attn.hook_pattern"];
  std::size_t most = 0;
  for (std::size_t j = 0; j <= 9; ++j)
    if (pattern(0, 1, 9, j) > pattern(0, 1, 9, most)) most = j;
  for (const std::size_t key : {most, most == 3 ? std::size_t{4} : std::size_t{3}}) {
    const Study study = score_study(small_run(), {.position = 9}, {1, 1}, key);
    const auto a = interpret::score_attribution(model, tokens, {1, 1}, 9, key);
    std::size_t s = 0, t = 0;
    for (std::size_t i = 0; i < a.sources.size(); ++i)
      for (std::size_t j = 0; j < a.sources.size(); ++j)
        if (std::abs(a.terms(i, j)) > std::abs(a.terms(s, t))) s = i, t = j;
    const auto weight = static_cast<double>(pattern(0, 1, 9, key));
    CHECK(
        outline(study) ==
        fmt::format(
            "score\nhead = L1H1\nquery = 9\nkey = {}\nweight = {:.4f}\nsum_of_terms = {:.4f}\nbias = "
            "0.0000\nscore = {:.4f}\n"
            "The query {} gives the key {} an attention weight of {:.3f} in L1H1.{}\n"
            "The attention logit is {:+.4f}; the terms add up to {:+.4f}.\n"
            "[terms] What the query holds × what the key holds, largest first:\n"
            "  contribution: \"contribution\" 3 signed\n  query_source: \"query\" 0 hidden\n"
            "  query_words: \"query's part\" 3\n  key_source: \"key\" 0 hidden\n  key_words: \"key's part\" "
            "3\n"
            "  the first 16 rows\n"
            "The largest term, {:+.3f} of {:+.3f}: {} meets {}.\n"
            "map L1H1: the attention logit of query 9 for key {}: source of the query x source of the key,  "
            "2 numbers\n",
            key, weight, a.sum, a.score, at(9), at(key), weight,
            key == most ? " It gives no key more."
                        : fmt::format(" It gives most, {:.3f}, to {}.",
                                      static_cast<double>(pattern(0, 1, 9, most)), at(most)),
            a.score, a.sum, static_cast<double>(a.terms(s, t)), a.sum,
            source_words(a.sources[s], 9, a.query_from[s]).second,
            source_words(a.sources[t], key, a.key_from[t]).second, key));
    const auto& map = std::get<draw::SignedMap>(study.picture);
    for (std::size_t i = 0; i < a.sources.size(); ++i) {
      CHECK((map.rows[i] == a.sources[i].name && map.columns[i] == a.sources[i].name));
      for (std::size_t j = 0; j < a.sources.size(); ++j) {
        CHECK(*map.values[i][j] == static_cast<double>(a.terms(i, j)));
        for (const auto& row : study.tables[0].rows)
          if (text(row[1]) == a.sources[i].name && text(row[3]) == a.sources[j].name) {
            CHECK(number(row[0]) == static_cast<double>(a.terms(i, j)));
            CHECK(text(row[2]) == source_words(a.sources[i], 9, a.query_from[i]).first);
            CHECK(text(row[4]) == source_words(a.sources[j], key, a.key_from[j]).first);
          }
      }
    }
  }
}

TEST_CASE("the studies of a place name MLPs, positions, biases, caps and what is left out",
          "[studies][words]") {
  run::RunConfig config = run::small_config();
  config.model.n_heads = 3, config.model.d_model = 12, config.model.d_mlp = 8;
  config.model.positions = "learned";
  const auto drawn = [](const run::RunConfig& c) {
    run::Run run{c, run::make_task(c)};
    run.model = run::make_model(run::filled_in(c, run.task), run.task);
    Rng rng(3);
    for (auto& [name, p] : nn::named_parameters(*run.model))
      for (Real& x : p.mutable_array()) x += static_cast<Real>(0.3 * rng.normal());
    return run;
  };
  const run::Run run = drawn(config);
  const Study logit = logit_study(run, {.position = 5});
  const auto& paths = logit.tables[0].rows;
  double rest = 0;
  for (std::size_t i = 16; i < paths.size(); ++i) rest += number(paths[i][1]);
  REQUIRE(paths.size() > 17);
  CHECK(logit.tables[0].sentences ==
        std::vector<std::string>{fmt::format("The other {} paths add {:+.3f}.", paths.size() - 16, rest)});
  CHECK(std::get<draw::Bars>(logit.picture).values.size() == 16);
  std::set<std::string> names;
  for (const auto& row : paths) names.insert(text(row[0]));
  for (const char* name : {"direct", "MLP 0", "MLP 1", "L0H2", "L1H0", "L0H2 → L1H1", "MLP 0 → L1H2"})
    CHECK(names.contains(name));
  const Study score = score_study(run, {.position = 5}, {1, 2}, 3);
  std::set<std::string> of_query, of_key;
  rest = 0;
  for (std::size_t i = 0; i < score.tables[0].rows.size(); ++i) {
    of_query.insert(text(score.tables[0].rows[i][2]));
    of_key.insert(text(score.tables[0].rows[i][4]));
    if (i >= 16) rest += number(score.tables[0].rows[i][0]);
  }
  CHECK((of_query.contains("position 5") && of_query.contains("blocks.0.mlp")));
  CHECK((of_key.contains("position 3") && !of_key.contains("position 5")));
  CHECK(score.tables[0].sentences[0] ==
        fmt::format("The other {} terms add {:+.3f}.", score.tables[0].rows.size() - 16, rest));
  config.model.positions = "alibi", config.model.score_cap = 5;
  const run::Run other = drawn(config);
  const auto example_of_other = run::first_example(other.task, 0);
  const auto a =
      interpret::score_attribution(*other.model, nn::one_sequence(example_of_other.tokens), {1, 2}, 5, 3);
  REQUIRE(a.bias < 0);
  CHECK(score_study(other, {.position = 5}, {1, 2}, 3).sentences[1] ==
        fmt::format("The attention logit is {:+.4f}; the terms add up to {:+.4f}, before the score cap; the "
                    "bias by distance is {:+.4f}.",
                    a.score, a.sum, a.bias));
  config.model.smeared_keys = true;
  const run::Run smeared = drawn(config);
  const auto& tokens = run::first_example(smeared.task, 0).tokens;
  const Study of_smeared = score_study(smeared, {.position = 5}, {0, 2}, 3);
  const double share = *interpret::share_of_own_key(*smeared.model, {0, 2});
  CHECK(of_smeared.sentences[2] ==
        fmt::format("L0H2 smears its keys: a key is {:.3f} of the key of its own token plus {:.3f} of the "
                    "key of the token before.",
                    share, 1 - share));
  std::map<std::string, double> of_tokens;
  for (const auto& row : of_smeared.tables[0].rows)
    if (text(row[2]) == fmt::format("token '{}'", letter(tokens[5])))
      of_tokens[text(row[4])] = number(row[0]);
  const double own = of_tokens.at(fmt::format("token '{}'", letter(tokens[3]))),
               before = of_tokens.at(fmt::format("token '{}' before", letter(tokens[2])));
  run::Run unsmeared = drawn(config);  // by the model whose first keys take all from their own token
  const auto keys_of = [&](double alpha) {
    unsmeared.model->blocks[0].attn.smear.mutable_array().fill(static_cast<Real>(alpha));
    const auto terms = interpret::score_attribution(*unsmeared.model, nn::one_sequence(tokens), {0, 2}, 5, 3);
    return std::pair(static_cast<double>(terms.terms(0, 0)),
                     static_cast<double>(terms.terms(0, terms.sources.size())));
  };
  CHECK(std::abs(own - share * keys_of(100).first) < 1e-4);
  CHECK(std::abs(before - (1 - share) * keys_of(-100).second) < 1e-4);
}

TEST_CASE("the study of gradients", "[studies][words]") {
  ThreadPool pool(1);
  const run::Run& run = small_run();
  const tasks::Batch batch = study_batch(run);
  const auto both =
      interpret::compare_with_true(*run.model, batch, study_outputs(run, interpret::Ablation::mean), pool);
  const auto gradients = interpret::head_gradients(*run.model, batch, pool, {.patterns = true});
  const auto norms = interpret::head_gradient_norms(*run.model, run::all_snapshots(run), batch, pool);
  const Study study = sensitivity_study(run, {}, pool);
  std::string keys;
  for (const interpret::NormKey& key : interpret::kNormKeys)
    keys += fmt::format("  {0}: \"{0}\" 4\n", key.key);
  CHECK(outline(study) ==
        fmt::format(
            "sensitivity\nsequences = 32\nloss_over = predictable\n"
            "Measured on 32 sequences as in training, drawn anew, on predictable tokens. Replacement by "
            "mean: the heads write their mean over the sequences, position by position.\n"
            "[heads] The loss and each head's output z and pattern:\n  head: \"head\" 3\n"
            "  gradient_z: \"|dL/dz|\" 4\n  gradient_pattern: \"|dL/dpattern|\" 4\n"
            "  rise_estimated: \"rise, estimated\" 3 signed\n  rise_true: \"rise, true\" 3 signed\n"
            "Estimated: gradient times difference, for all heads from one backward pass. Its correlation "
            "with the true rise is {:.3f} over 4 heads.{}\n"
            "[starts] Each head's first gradient above half of its largest, the earliest head first:\n"
            "  head: \"head\" 3\n  first_step: \"at step\" 3\n  largest: \"largest\" 4\n"
            "  largest_step: \"at step\" 3\n"
            "A step is only as exact as the snapshots that training kept.\n"
            "[norms] Norm of the gradient in each head's parameters along training, the largest first:\n"
            "  step: \"step\" 3\n  loss: \"loss\" 3 hidden\n  head: \"head\" 3\n{}  the largest rows\n"
            "map Norm of the gradient in each head's parameters, along training: head x step, norm 2 "
            "magnitudes\n",
            *both.correlation,
            *both.correlation < 0.8 ? " Replacing a whole head is no small change here: go by the true rise."
                                    : "",
            keys));
  const auto& map = std::get<draw::SignedMap>(study.picture);
  CHECK(map.rows == std::vector<std::string>{"L0H0", "L0H1", "L1H0", "L1H1"});
  REQUIRE(map.columns.size() == norms.size());
  for (std::size_t i = 0; i < norms.size(); ++i) {
    CHECK(map.columns[i] == std::to_string(norms[i].step));
    for (std::size_t h = 0; h < 4; ++h) {
      CHECK(*map.values[h][i] == Approx(norms[i].heads[h].parameters));
      const auto& row = study.tables[2].rows[4 * i + h];
      CHECK(std::get<std::int64_t>(row[0]) == norms[i].step);
      CHECK(number(row[1]) == Approx(norms[i].loss));
      CHECK(text(row[2]) == map.rows[h]);
      for (std::size_t k = 0; k < std::size(interpret::kNormKeys); ++k) {
        CHECK(study.tables[2].columns[3 + k].key == interpret::kNormKeys[k].key);
        CHECK(number(row[3 + k]) == Approx(norms[i].heads[h].*interpret::kNormKeys[k].value));
      }
    }
  }
  for (std::size_t h = 0; h < 4; ++h) {
    const auto& row = study.tables[0].rows[h];
    CHECK(text(row[0]) == map.rows[h]);
    CHECK(number(row[1]) == Approx(gradients.heads[h].z_norm));
    CHECK(number(row[2]) == Approx(*gradients.heads[h].pattern_norm));
    CHECK(number(row[3]) == Approx(both.estimated.heads[h].effect));
    CHECK(number(row[4]) == Approx(both.actual.heads[h].effect));
  }
  const auto starts = interpret::by_start(interpret::learning_starts(norms, 0.5));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& row = study.tables[1].rows[i];
    CHECK(text(row[0]) == interpret::head_code(starts[i].at));
    CHECK(std::get<std::int64_t>(row[1]) == *starts[i].first_step);
    CHECK(number(row[2]) == starts[i].largest);
    CHECK(std::get<std::int64_t>(row[3]) == starts[i].largest_step);
  }
}

// Smaller logits have smaller gradients.
TEST_CASE("a head learns from the step at which its gradient passes half of its largest",
          "[studies][words]") {
  run::Run run{small_run().config, small_run().task};
  run.model = std::make_unique<nn::Transformer>(nn::clone(*small_run().model));
  run.results.steps = 50;
  for (const std::int64_t step : {10, 20, 30, 40}) {
    train::Weights weights = train::weights_of(*run.model);
    for (Real& x : weights.at("unembed.W_U")) x *= static_cast<Real>(0.02 * static_cast<double>(step) - 0.15);
    run.snapshots.push_back({step, std::move(weights)});
  }
  ThreadPool pool(1);
  const Study study = sensitivity_study(run, {}, pool);
  const auto& map = std::get<draw::SignedMap>(study.picture);
  CHECK(map.columns == std::vector<std::string>{"10", "20", "30", "40", "50"});
  bool different = false;
  for (const auto& row : study.tables[1].rows) {
    const auto head = static_cast<std::size_t>(std::find(map.rows.begin(), map.rows.end(), text(row[0])) -
                                               map.rows.begin());
    const auto& norms = map.values.at(head);
    const auto first_past = [&](double part) {
      double largest = 0;
      for (const auto& norm : norms) largest = std::max(largest, *norm);
      for (std::size_t i = 0; i < norms.size(); ++i)
        if (*norms[i] >= part * largest) return static_cast<std::int64_t>(10 * (i + 1));
      return std::int64_t{0};
    };
    CHECK(std::get<std::int64_t>(row[1]) == first_past(0.5));
    CHECK(std::get<std::int64_t>(row[3]) == first_past(1));
    different = different || (first_past(0.3) < first_past(0.5) && first_past(0.5) < first_past(0.7));
  }
  CHECK(different);
}

TEST_CASE("the study of gradients without snapshots shows the true rises", "[studies][words]") {
  run::Run run{small_run().config, small_run().task};
  run.model = std::make_unique<nn::Transformer>(nn::clone(*small_run().model));
  ThreadPool pool(1);
  const Study study = sensitivity_study(run, {.curvature = true, .sequences = 4}, pool);
  REQUIRE(study.tables.size() == 1);
  const StudyTable& heads = study.tables[0];
  const auto& bars = std::get<draw::Bars>(study.picture);
  CHECK(bars.title == "Rise of the loss without each head's own output");
  CHECK(bars.unit == "nats");
  for (std::size_t h = 0; h < 4; ++h) CHECK(bars.values[h] == number(heads.rows[h][4]));
  CHECK((heads.columns[5].key == "curvature_largest" && heads.columns[5].head == "curvature, largest"));
  CHECK((heads.columns[6].key == "curvature_smallest" && heads.columns[6].head == "smallest"));
  bool missing = false;
  for (const auto& row : heads.rows) {
    for (const std::size_t c : {5, 6}) missing = missing || std::holds_alternative<std::monostate>(row[c]);
    if (std::holds_alternative<double>(row[5]) && std::holds_alternative<double>(row[6]))
      CHECK(number(row[5]) > number(row[6]));
  }
  CHECK(heads.sentences[1] ==
        "Curvature: the largest and smallest eigenvalue of the Hessian in the head's own parameters.");
  CHECK((heads.sentences.size() == 3) == missing);
  if (missing)
    CHECK(heads.sentences[2] == "A curvature is missing where the power iteration did not converge.");
}
