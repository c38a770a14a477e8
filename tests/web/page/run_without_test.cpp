// A page's certificate and predictions without heads, against the library's own.
#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/interpret/ablation.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "page/sections/run_certificate.h"
#include "page/sections/run_without.h"
#include "page/switched_off.h"
#include "page/unpacked.h"
#include "run/small_config.h"

using namespace headlight;
using Catch::Matchers::WithinAbs;
using namespace headlight::run;
using namespace headlight::page;

namespace {

Run run_of(const RunConfig& config) {
  Run run{config, make_task(config), make_model(config)};
  Rng rng(3);
  for (auto& [name, p] : nn::named_parameters(*run.model)) {  // so that heads matter
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.3 * rng.normal());
  }
  return run;
}

// The logits of one sequence without these heads, by the mean over 64 sequences of training or by zero.
Array logits_without(const Run& run, const Example& example, const interpret::HeadSet& heads, bool mean) {
  const NoGrad no_grad;
  const tasks::Batch others =
      tasks::draw_batch(run.task, run.task.training, 64, Rng(run.config.train.seed).stream("mean outputs"));
  const auto outputs = mean ? interpret::mean_outputs(*run.model, others) : interpret::no_outputs(*run.model);
  const nn::Hooks hooks = interpret::replace_outputs(run.model->config(), heads, outputs);
  return (*run.model)(nn::one_sequence(example.tokens), hooks, {nn::one_sequence(example.source)}).array();
}

std::vector<Shown> shown_of(const std::vector<Example>& examples) {
  std::vector<Shown> shown;
  for (const Example& example : examples) shown.push_back({example, {}});
  return shown;
}

void check_set(const Run& run, const Example& example, const nlohmann::ordered_json& off, std::size_t set,
               const interpret::HeadSet& heads, bool mean) {
  const std::string tokens = expanded(off["tokens"]), likeliest = expanded(off["likeliest"]),
                    targets = expanded(off["targets"]);
  const Array logits = logits_without(run, example, heads, mean);
  const std::size_t n = example.tokens.size(), vocab = logits.shape()[2];
  const bool any = std::count(example.predictable.begin(), example.predictable.end(), true) > 0;
  double loss = 0, counted = 0;
  for (std::size_t t = 0; t < n; ++t) {
    double total = 0;
    std::size_t best = 0;
    for (std::size_t v = 0; v < vocab; ++v) {
      total += std::exp(static_cast<double>(logits(0, t, v)));
      if (logits(0, t, v) > logits(0, t, best)) best = v;
    }
    const auto p = [&](std::size_t v) { return std::exp(static_cast<double>(logits(0, t, v))) / total; };
    const auto at = [&](const std::string& bytes) { return static_cast<unsigned char>(bytes[set * n + t]); };
    CHECK(at(tokens) == best);
    CHECK(std::abs(at(likeliest) - 255 * p(best)) < 0.501);
    if (example.targets[t] < 0) continue;
    const double right = p(static_cast<std::size_t>(example.targets[t]));
    const bool likely = static_cast<std::size_t>(example.targets[t]) == best;  // then it is not said twice
    CHECK(std::abs(at(targets) - (likely ? 0 : 255 * right)) < 0.501);
    if (any && !example.predictable[t]) continue;
    loss -= std::log(right);
    ++counted;
  }
  if (counted > 0) CHECK_THAT(off["losses"].at(set).get<double>(), WithinAbs(loss / counted, 1.5e-4));
}

void check_page(const Run& run) {
  ThreadPool pool(2);
  const std::vector<Example> shown = examples(run.task, run.config.train.seed, 3);
  const auto page = without_json(run, shown_of(shown), pool);
  const interpret::HeadSet heads = interpret::all_heads(run.model->config());
  REQUIRE_FALSE(page.is_null());
  CHECK(page["most"] == heads.size());
  CHECK(page["ways"] ==
        nlohmann::ordered_json::parse(R"([["mean", "its mean over 64 other sequences"], ["zero", "zero"]])"));
  REQUIRE_FALSE(page["sequences"].empty());
  const std::size_t last = page["sequences"].size() - 1;
  for (const std::size_t set :
       {std::size_t{0}, std::size_t{1}, std::size_t{5}, (std::size_t{1} << heads.size()) - 1}) {
    interpret::HeadSet off;
    for (std::size_t h = 0; h < heads.size(); ++h)
      if ((set >> h & 1U) != 0) off.push_back(heads[h]);
    check_set(run, shown[0], page["sequences"][0][0], set, off, true);
    check_set(run, shown[last], page["sequences"][last][1], set, off, false);
  }
}

}  // namespace

TEST_CASE("the page's predictions without heads are those of ablated models", "[experiment][pagea]") {
  check_page(run_of(small_config()));
  RunConfig parts = small_config();
  parts.model.n_heads = 4;
  parts.model.n_kv_heads = 2;
  parts.model.positions = "learned-qk";
  parts.model.sinks = true;
  check_page(run_of(parts));
}

TEST_CASE("heads of encoders and of cross-attention can be switched off", "[experiment][pagea]") {
  RunConfig config = small_config();
  config.task.name = "reverse";
  config.model.architecture = nn::Architecture::encoder_decoder;
  config.model.n_layers = 1;
  check_page(run_of(config));
  config.task.name = "histogram";
  config.model.architecture = nn::Architecture::encoder;
  config.model.n_layers = 2;
  check_page(run_of(config));
}

TEST_CASE("a page of more heads has sets of two, and a very large one has none",
          "[experiment][pagea][long]") {
  ThreadPool pool(2);
  RunConfig config = small_config();
  config.model.d_model = 24;
  config.model.n_heads = 6;
  const Run run = run_of(config);
  const std::vector<Example> shown = examples(run.task, 1, 2);
  const auto page = without_json(run, shown_of(shown), pool);
  REQUIRE_FALSE(page.is_null());
  CHECK(page["most"] == 2);
  const interpret::HeadSet heads = interpret::all_heads(run.model->config());
  const auto sets = page::switched_sets(12, 2);
  CHECK(page["sequences"][0][0]["losses"].size() == sets.size());
  check_set(run, shown[0], page["sequences"][0][0], sets.size() - 1, {heads[10], heads[11]}, true);
  check_set(run, shown[0], page["sequences"][0][1], 4, {heads[3]}, false);

  config.model.d_model = 768;
  config.model.n_heads = 12;
  config.model.n_layers = 12;
  config.model.d_mlp = 3072;
  const Run large{config, make_task(config), make_model(config)};
  CHECK(without_json(large, shown_of(shown), pool).is_null());
}

TEST_CASE("of ten heads a page has every set, of eleven not", "[experiment][pagea]") {
  ThreadPool pool(2);
  RunConfig config = small_config();
  config.model.d_mlp = 0;
  for (const auto& [layers, heads, most] :
       {std::array<std::size_t, 3>{2, 5, 10}, std::array<std::size_t, 3>{1, 11, 2}}) {
    config.model.n_layers = layers, config.model.n_heads = heads, config.model.d_model = 2 * heads;
    const Run run = run_of(config);
    CHECK(without_json(run, shown_of(examples(run.task, 1, 1)), pool)["most"] == most);
  }
}

TEST_CASE("sequences that are longer than those of the task have no such predictions",
          "[experiment][pagea]") {
  ThreadPool pool(1);
  const Run run = run_of(small_config());
  std::vector<Example> shown = examples(run.task, 1, 2);
  shown[1].source = {1, 2};
  CHECK(without_json(run, shown_of(shown), pool)["sequences"].size() == 1);
  std::swap(shown[0], shown[1]);
  CHECK(without_json(run, shown_of(shown), pool).is_null());
}

TEST_CASE("the page's certificate is that of the run's results", "[experiment][pagea]") {
  RunConfig config = small_config();
  config.task.n_ctx = 32;
  config.task.d_vocab = 40;
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  Experiment trained(config, {.threads = 1});
  trained.run_until(4);
  Run run = trained.measure();
  const Results& results = run.results;
  REQUIRE(results.certificate.has_value());
  const auto data_of = [&] {
    const std::string html = report_page(run), opening = "id=\"data\">";
    const std::size_t begin = html.find(opening) + opening.size();
    return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  };
  const auto page = data_of()["certificate"];
  CHECK(page["verdict"] == interpret::to_string(results.certificate->verdict));
  std::string sentence;
  for (const auto& part : page["said"]) sentence += part["text"].get<std::string>();
  CHECK(sentence == interpret::sentence(*results.certificate));
  CHECK(page["accuracy"] == results.certificate->accuracy);
  REQUIRE(page["claims"].size() == results.certificate->claims.size());
  for (std::size_t i = 0; i < page["claims"].size(); ++i) {
    const interpret::Claim& claim = results.certificate->claims[i];
    CHECK(page["claims"][i]["key"] == claim.key);
    CHECK(page["claims"][i]["name"] == claim.name);
    CHECK(page["claims"][i]["standing"] == interpret::to_string(claim.standing));
    CHECK(page["claims"][i]["number"].is_null() != claim.number.has_value());
    if (claim.number) CHECK(page["claims"][i]["number"] == *claim.number);
    CHECK(page["claims"][i]["says"] == claim.says);
  }
  run.results.certificate.reset();
  CHECK_FALSE(data_of().contains("certificate"));
}

TEST_CASE("a certificate's heads and limits reach the page in their places", "[experiment][pagea]") {
  const nn::TransformerConfig config{.n_layers = 2, .d_model = 12, .n_heads = 3, .d_vocab = 9, .n_ctx = 8};
  interpret::Certificate c;
  c.verdict = interpret::Verdict::another_way;
  c.induction_heads = {{1, 2}, {1, 0}};
  c.previous_token_heads = {{0, 1}};
  c.helpers = {{0, 0}};
  c.claims.push_back(
      {"necessity", "needs", interpret::Standing::fails, 0.5, 0.75, 0.25, 0.125, true, false, "x", "y"});
  c.claims.emplace_back().key = interpret::kMatching;
  c.needed.push_back({{1, 1}, 0.4, "back", 0.6});
  const nlohmann::json page = certificate_json(c, config, nlohmann::ordered_json::parse(R"([{"step": 7}])"));
  CHECK(page["induction_heads"] == nlohmann::json({5, 3}));
  CHECK(page["previous_token_heads"] == nlohmann::json::parse("[1]"));
  CHECK(page["helpers"] == nlohmann::json::parse("[0]"));
  CHECK(page["claims"][0] == nlohmann::json{{"key", "necessity"},
                                            {"name", "needs"},
                                            {"standing", "fails"},
                                            {"number", 0.5},
                                            {"threshold", 0.25},
                                            {"number_at_most", true},
                                            {"control", 0.75},
                                            {"control_limit", 0.125},
                                            {"control_at_most", false},
                                            {"says", "x"},
                                            {"more", "y"}});
  CHECK(page["formation"][0]["step"] == 7);
  CHECK(page["needed"][0] ==
        nlohmann::json{{"head", 4}, {"accuracy_without", 0.4}, {"looks", "back"}, {"weight", 0.6}});
  CHECK(page["tells_tokens"] == true);
  c.through = {interpret::HeadInput::queries};
  CHECK(certificate_json(c, config, {})["tells_tokens"] == false);
  c.needed[0].head = {2, 0};
  CHECK(error_of([&] { certificate_json(c, config, {}); }) == "[report] the model has no head L2H0.");
  c.needed.clear();
  c.claims[0].number.reset();
  CHECK(certificate_json(c, config, {})["claims"][0]["number"].is_null());
  c.claims[0].control = std::nan("");
  CHECK(contains(error_of([&] { certificate_json(c, config, {}); }), "is not finite."));
}

TEST_CASE("a vocabulary whose tokens take more than two bytes has no such predictions", "[experiment]") {
  const std::size_t most = page::kMostSwitchedVocabulary;
  page::SwitchedOff off;
  Array logits = full_array({1, 1, most}, 0);
  logits.data()[most - 1] = 1;
  off.add(logits, {-1}, {false});
  CHECK(off.tokens == "\xff\xff");
  CHECK(contains(error_of([&] {
                   off.add(full_array({1, 1, most + 1}, 0), {-1}, {false});
                 }),
                 "[SwitchedOff] expected at most 65536 tokens, got 65537."));
}
