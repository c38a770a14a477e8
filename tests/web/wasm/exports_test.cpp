// What the page's worker calls, called without a browser: each answer against the lab's own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"  // names of exports are of WebAssembly alone
#include "wasm/exports.cpp"
#include "wasm/probe.cpp"
#pragma GCC diagnostic pop

#include <functional>
#include <map>
#include <set>

#include "catch.h"
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/run.h"
#include "headlight/system/base64.h"
#include "run/small_config.h"
#include "web/page/unpacked.h"

using namespace headlight;
using namespace headlight::lab;
using nlohmann::ordered_json;

namespace {

// Gives the input, calls, and takes the output, as the worker does.
template <class... Number>
std::string called(void (*call)(Number...), const std::string& input,
                   std::type_identity_t<Number>... number) {
  std::copy(input.begin(), input.end(), lab_input(input.size()));
  call(number...);
  return {lab_output(), lab_output_size()};
}

template <class... Number>
ordered_json asked(void (*call)(Number...), const ordered_json& input,
                   std::type_identity_t<Number>... number) {
  return ordered_json::parse(called(call, input.is_null() ? "" : input.dump(), number...));
}

run::RunConfig exported_config() {
  run::RunConfig config = run::small_config();
  config.model.n_layers = 3, config.model.bias = true, config.task.n_ctx = 20, config.train.seed = 7;
  return config;
}

// A lab whose parameters are all at random, and the open one with the same.
std::unique_ptr<Lab> opened_lab() {
  auto lab = std::make_unique<Lab>(exported_config());
  train::Weights weights = train::weights_of(lab->model());
  train::NamedArrays arrays;
  Rng rng(5);
  for (auto& [name, array] : weights) {
    for (Real& x : array) x += static_cast<Real>(0.3 * rng.normal());
    arrays.emplace_back(name, &array);
  }
  lab->set_weights(train::to_safetensors(arrays));
  called(lab_make, run::to_json(exported_config()), 0, 0);
  called(lab_set_weights, lab->weights());
  return lab;
}

const std::vector<std::int32_t> kTokens{3, 1, 4, 1, 5, 9, 2, 6}, kOther{2, 7, 1, 8, 2, 8, 1, 8};

// All kinds of changes, with parts that all differ: as JSON, and as the lab takes them. Head 5 is L2H1.
const std::vector<std::pair<ordered_json, Changes>>& listed_changes() {
  using interpret::Ablation;
  static const std::vector<std::pair<ordered_json, Changes>> all = {
      {ordered_json::object(), {}},
      {{{"off", {5}}}, {.off = {{2, 1}}, .way = Ablation::mean}},
      {{{"off", {1, 2}}, {"way", "zero"}}, {.off = {{0, 1}, {1, 0}}, .way = Ablation::zero}},
      {{{"off", {4}}, {"way", "resample"}}, {.off = {{2, 0}}, .way = Ablation::resample}},
      {{{"cut", {{3, 6, 2}, {0, 5, 4}}}}, {.cut = {{{1, 1}, 6, 2}, {{0, 0}, 5, 4}}}},
      {{{"mlps_off", {2}}}, {.mlps_off = {2}}},
      {{{"mlps_off", {0, 1}}, {"way", "zero"}}, {.way = Ablation::zero, .mlps_off = {0, 1}}},
      {{{"off", {1}}, {"patch", {{"heads", {2, 5}}, {"tokens", kOther}}}},
       {.off = {{0, 1}}, .patch = {{{1, 0}, {2, 1}}, kOther}}}};
  return all;
}

std::string bytes_of(const Array& array) {
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(Real)};
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {  // as the module catches them
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("an exported look and evaluation are the lab's, for each kind of change", "[lab][exports]") {
  const std::unique_ptr<Lab> mine = opened_lab();
  std::set<std::string> looks, evaluations;
  for (const auto& [json, changes] : listed_changes()) {
    INFO(json.dump());
    ordered_json input = json;
    input["tokens"] = kTokens;
    const Look look = mine->look(kTokens, changes);
    CHECK((called(lab_look, input.dump()) ==
           bytes_of(look.patterns) + bytes_of(look.probabilities) + bytes_of(look.lens)));
    looks.insert(called(lab_look, input.dump()));
    if (json.contains("patch")) continue;
    const train::Evaluation e = mine->evaluate(changes, 6);
    const ordered_json found = asked(lab_evaluate, json, 6);
    CHECK(found == ordered_json{{"loss", e.loss},
                                {"accuracy", e.accuracy_predictable.value()},
                                {"loss_predictable", e.loss_predictable.value()},
                                {"loss_unpredictable", e.loss_unpredictable.value()}});
    evaluations.insert(found.dump());
    CHECK(asked(lab_evaluate, json, 7) != found);
  }
  CHECK(looks.size() == listed_changes().size());
  CHECK(evaluations.size() == listed_changes().size() - 1);
}

TEST_CASE("exported models, sequences and weights are the lab's", "[lab][exports]") {
  const ordered_json made = asked(lab_make, ordered_json::parse(run::to_json(exported_config())), 0, 0);
  const std::unique_ptr<Lab> mine = opened_lab();
  const ordered_json config = ordered_json::parse(run::to_json(mine->config()));
  CHECK(made == ordered_json{{"config", config},
                             {"n_layers", 3},
                             {"n_heads", 2},
                             {"n_ctx", 20},
                             {"mlps", true},
                             {"vocabulary", made["vocabulary"]}});
  REQUIRE(made["vocabulary"].size() == 12);
  for (std::int32_t id = 0; id < 12; ++id)
    CHECK(made["vocabulary"][static_cast<std::size_t>(id)] == mine->task().vocabulary.text(id));
  for (const std::uint32_t number : {0U, 3U}) {
    const tasks::Sequence s = mine->sequence(number);
    CHECK(asked(lab_sequence, nullptr, number) ==
          ordered_json{{"tokens", s.tokens},
                       {"targets", s.targets},
                       {"predictable", std::vector<int>(s.predictable.begin(), s.predictable.end())}});
  }
  CHECK((called(lab_weights, "") == mine->weights()));
  CHECK(called(lab_hash, "") == sha256(mine->weights()));
  CHECK(asked(lab_about, nullptr) == ordered_json{{"version", version()}, {"fused", rounds_once()}});
  const auto hand = by_hand(nn::Broken::copying, 2, 3, 5);
  const ordered_json by_hand = asked(lab_make_by_hand, {{"broken", "copying"}, {"scales", {2, 3, 5}}});
  CHECK(by_hand["config"] == ordered_json::parse(run::to_json(hand->config())));
  CHECK(by_hand["mlps"] == false);
  CHECK((called(lab_weights, "") == hand->weights()));
}

TEST_CASE("exported steps are the lab's, alone and in parts", "[lab][exports]") {
  Lab alone(exported_config()), rest(exported_config(), {0, 1});
  const std::string config = run::to_json(exported_config());
  for (const bool shared : {false, true}) {
    called(lab_make, config, shared ? 1 : 0, shared ? 4 : 0);
    rest.set_weights(called(lab_weights, ""));
    alone.set_weights(rest.weights());
    for (int i = 0; i < 3; ++i) {
      const std::string others = shared ? rest.gradients() : "", mine = called(lab_gradients, "");
      CHECK(mine.empty() != shared);
      (void)alone.gradients();
      const train::StepReport step = alone.apply({});
      CHECK(ordered_json::parse(called(lab_apply, others)) ==
            ordered_json{{"step", i + 1},
                         {"loss", step.loss},
                         {"gradient_norm", step.gradient_norm},
                         {"learning_rate", step.learning_rate}});
      if (shared) (void)rest.apply({mine});
    }
    CHECK((called(lab_weights, "") == alone.weights()));
  }
}

TEST_CASE("exported terms are what attribution finds, part by part", "[lab][exports]") {
  const std::unique_ptr<Lab> mine = opened_lab();
  const nn::Transformer& model = mine->model();
  const std::size_t n = kTokens.size(), listed = 2;
  std::vector<std::vector<std::int32_t>> wanted(listed + 1, std::vector<std::int32_t>(n, tasks::kNoTarget));
  ordered_json guesses = ordered_json::array();
  for (std::size_t i = 0; i < n; ++i) {  // by turns two guesses and one
    for (std::size_t g = 0; g < 2 - i % 2; ++g)
      wanted[g][i] = static_cast<std::int32_t>((5 * i + 7 * g) % 12);
    guesses.push_back(i % 2 == 0 ? ordered_json{wanted[0][i], wanted[1][i]} : ordered_json{wanted[0][i]});
    if (i + 1 < n) wanted[listed][i] = kTokens[i + 1];
  }
  const ordered_json terms =
      asked(lab_terms, {{"tokens", kTokens}, {"targets", wanted[listed]}, {"guesses", guesses}});
  using Kind = interpret::SourceKind;
  const auto part_of = [](const interpret::Source& s) {
    if (s.kind == Kind::head) return ordered_json{"head", 2 * s.head->layer + s.head->head}.dump();
    if (s.kind == Kind::mlp) return ordered_json{"mlp", s.layer}.dump();
    return ordered_json{s.kind == Kind::embed  ? "embed"
                        : s.kind == Kind::bias ? "bias"
                                               : "pos_embed",
                        0}
        .dump();
  };

  const std::vector<double> contributions = page::unpacked(terms["logits"]["contributions"]);
  const ordered_json& parts = terms["logits"]["parts"];
  REQUIRE(parts.size() == 1 + 6 + 3 + 1);  // the embedding, heads, MLPs, and all biases
  for (std::size_t g = 0; g <= listed; ++g) {
    const auto direct = interpret::direct_logit_attribution(model, nn::one_sequence(kTokens),
                                                            nn::one_sequence(wanted[g]), true);
    for (std::size_t i = 0; i < n; ++i) {
      std::map<std::string, double> sums;
      for (std::size_t s = 0; s < direct.sources.size(); ++s)
        sums[part_of(direct.sources[s])] += static_cast<double>(direct.values(s, 0, i));
      REQUIRE(sums.size() == parts.size());
      for (std::size_t p = 0; p < parts.size(); ++p)
        CHECK(contributions[(p * n + i) * (listed + 1) + g] == Approx(sums.at(parts[p].dump())).margin(2e-3));
    }
  }

  const auto score = interpret::score_attribution(model, nn::one_sequence(kTokens), {2, 1}, 6, 3);
  const ordered_json& head = terms["heads"][5];
  const std::vector<double> q = page::unpacked(head["q"]), k = page::unpacked(head["k"]);
  const std::size_t d = 8, count = head["parts"].size();
  REQUIRE(count == 1 + 4 + 2 + 1);  // what is written before layer 2
  std::map<std::pair<std::string, std::string>, double> sums;
  for (std::size_t s = 0; s < score.sources.size(); ++s)
    for (std::size_t t = 0; t < score.sources.size(); ++t)
      sums[{part_of(score.sources[s]), part_of(score.sources[t])}] += static_cast<double>(score.terms(s, t));
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t t = 0; t < count; ++t) {
      double sum = 0;
      for (std::size_t c = 0; c < d; ++c) sum += q[(s * n + 6) * d + c] * k[(t * n + 3) * d + c];
      CHECK(sum == Approx(sums.at({head["parts"][s].dump(), head["parts"][t].dump()})).margin(2e-3));
    }
  CHECK(terms["turn"] == ordered_json(page::turn_of(model)));
}

TEST_CASE("an export refuses what does not fit, and the lab stays as it was", "[lab][exports]") {
  headlight::lab::lab.reset();
  using Call = void (*)();
  for (const Call call :
       {+[] { lab_set_weights(); }, +[] { lab_weights(); }, +[] { lab_hash(); }, +[] { lab_gradients(); },
        +[] { lab_apply(); }, +[] { lab_sequence(0); }, +[] { lab_page(); }})
    CHECK(refusal_of([&] { called(call, ""); }) == "[lab] no model was made.");
  for (const Call call : {+[] { lab_look(); }, +[] { lab_evaluate(1); }, +[] { lab_terms(); }})
    CHECK(refusal_of([&] { called(call, R"({"tokens": [1], "targets": [], "guesses": []})"); }) ==
          "[lab] no model was made.");
  const std::unique_ptr<Lab> mine = opened_lab();
  const std::string before = called(lab_look, ordered_json{{"tokens", kTokens}}.dump());
  const std::vector<std::pair<std::string, std::string>> looks = {
      {"", "parse error"},
      {"[]", "cannot use value() with array"},
      {"{}", "key 'tokens' not found"},
      {R"({"tokens": []})", "[lab] expected 1 to 20 tokens, got 0."},
      {R"({"tokens": [12]})", "[lab] the vocabulary has no token 12."},
      {R"({"tokens": [-1]})", "[lab] the vocabulary has no token -1."},
      {R"({"tokens": ["a"]})", "type must be number"},
      {R"({"tokens": [1], "off": [6]})", "[lab] the model has no head 6."},
      {R"({"tokens": [1], "off": [-1]})", "[lab] the model has no head 18446744073709551615."},
      {R"({"tokens": [1], "cut": [[6, 0, 0]]})", "[lab] the model has no head 6."},
      {R"({"tokens": [1], "cut": [[1, 0]]})", "array index 2 is out of range"},
      {R"({"tokens": [1], "mlps_off": [3]})", "[lab] layer 3 has no MLP."},
      {R"({"tokens": [1], "way": "none"})", "none"},
      {R"({"tokens": [1], "patch": {"heads": [6], "tokens": [1]}})", "[lab] the model has no head 6."},
      {R"({"tokens": [1], "patch": {"heads": [1], "tokens": [12]}})", "12"},
      {R"({"tokens": [1, 2, 3], "patch": {"heads": [1], "tokens": [1, 2]}})", "[ablation] expected outputs"}};
  for (const auto& [input, said] : looks) {
    INFO(input);
    const std::string refusal = refusal_of([&, input = input] { called(lab_look, input); });
    CAPTURE(refusal);
    CHECK(contains(refusal, said));
  }
  const auto refused = [](auto call, const std::string& input, auto... numbers) {
    return refusal_of([&] { called(call, input, numbers...); });
  };
  CHECK(refused(lab_evaluate, "{}", 0U) == "[lab] expected at least 1 sequence.");
  CHECK(contains(refused(lab_set_weights, "short"), "the weights"));
  CHECK(contains(refused(lab_set_weights, by_hand(nn::Broken::nothing, 1, 1, 1)->weights()), "the weights"));
  CHECK(contains(refused(lab_apply, "short"), "[sums_from] the sums of another process are cut short."));
  CHECK(refused(lab_make, "{}}", 0U, 0U) == "the config cannot be read: line 1 is not valid JSON.");
  CHECK(contains(refused(lab_make, R"({"model": {"n_heads": 0}})", 0U, 0U), "n_heads"));
  const std::string config = run::to_json(exported_config());
  CHECK(contains(refused(lab_make, config, 3U, 2U), "shards"));
  CHECK(contains(refused(lab_make, config, 0U, 9U), "shards"));
  CHECK(contains(refused(lab_make_by_hand, R"({"broken": "all", "scales": [1, 1, 1]})"), "all"));
  CHECK(contains(refused(lab_make_by_hand, R"({"broken": "none", "scales": [1, 1]})"), "2"));
  CHECK(contains(refused(lab_make_by_hand, R"({"broken": "none", "scales": [1, 1, 1e39]})"), "finite"));
  CHECK(contains(refused(lab_terms, R"({"tokens": [12], "targets": [], "guesses": []})"), "12"));
  CHECK(contains(refused(lab_terms, R"({"tokens": [1], "targets": [12], "guesses": []})"),
                 "[report] the vocabulary has no token 12."));
  CHECK(contains(refused(lab_terms, R"({"tokens": [1], "targets": [], "guesses": [[-1]]})"),
                 "[report] the vocabulary has no token -1."));
  CHECK((called(lab_look, ordered_json{{"tokens", kTokens}}.dump()) == before));
  CHECK((called(lab_weights, "") == mine->weights()));
}
TEST_CASE("the page of what was kept is that of the lab's run", "[lab]") {
  const auto mine = opened_lab();
  mine->keep(30, 2, 0.5);
  called(lab_keep, R"({"steps": 30, "seconds": 2, "loss": 0.5})");
  ThreadPool pool(1);
  const ordered_json page = page::run_data(mine->run(), "a title", {}, true, pool);
  CHECK(called(lab_page, "a title") == page::page_data(page));
  CHECK(page["title"] == "a title");
  CHECK(page["lab"]["weights"] == base64(mine->weights()));
  CHECK(page["metrics"][0]["step"] == 30);
}
