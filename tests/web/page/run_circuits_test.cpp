// What the page needs to take scores and logits apart, against the library's own attributions.
#include "page/sections/run_circuits.h"

#include "catch.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/nn/positions.h"
#include "headlight/system/json_output.h"
#include "interpret/subjects.h"
#include "page/sections/run_terms.h"
#include "page/unpacked.h"

using namespace headlight;
using namespace headlight::run;
using interpret::HeadAt;
using interpret::Stack;
using nlohmann::ordered_json;
using page::unpacked;

namespace {

// left·right, row by row.
std::vector<double> multiplied(const std::vector<double>& left, const std::vector<double>& right,
                               std::size_t inner) {
  const std::size_t rows = left.size() / inner, columns = right.size() / inner;
  std::vector<double> out(rows * columns, 0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < inner; ++c)
      for (std::size_t j = 0; j < columns; ++j)
        out[i * columns + j] += left[i * inner + c] * right[c * columns + j];
  return out;
}

std::vector<Example> two_examples(const nn::TransformerConfig& c) {
  Example example;
  example.tokens = {3, 1, 4, 1, 5, 0, 2, 3};
  example.tokens.resize(c.n_ctx);
  if (c.architecture == nn::Architecture::encoder_decoder) example.source = {2, 7, 1, 8, 2};
  return {example, example};
}

// The parts of a page that take a model and its sequences apart.
struct Apart {
  std::vector<page::Shown> shown;
  ordered_json sequences, circuits;
  std::vector<Stack> stacks;
  std::size_t n_layers, n_heads;
};

Apart page_of(const nn::Transformer& model, const std::vector<Example>& examples) {
  const nn::TransformerConfig& c = model.config();
  Apart page{{}, ordered_json::array(), {}, {}, c.n_layers, c.n_heads};
  for (const auto& layer : interpret::attention_layers(c))
    if (layer.layer == 0) page.stacks.push_back(layer.stack);
  for (const Example& example : examples) {
    page::Shown& s = page.shown.emplace_back(page::Shown{example, {}});
    page.sequences.push_back(ordered_json::object());
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {  // two guesses, one, two, one …
      const auto token = static_cast<std::int32_t>(i % 9);
      s.example.targets.push_back(i == 5 ? tasks::kNoTarget : 8 - token);
      s.guesses.push_back({{token, 0.5}});
      if (i % 2 == 0) s.guesses.back().push_back({(token + 3) % 9, 0.25});
    }
  }
  page.circuits = circuits_json(model, add_terms(page.sequences, model, page.shown, page.shown.size()));
  return page;
}

std::size_t head_on(const Apart& page, const HeadAt& at) {
  std::size_t stack = 0;
  while (page.stacks[stack] != at.stack) ++stack;
  return (stack * page.n_layers + at.layer) * page.n_heads + at.head;
}

// The part of the page that a source belongs to.
std::size_t part_of(const Apart& page, const ordered_json& parts, const interpret::Source& source) {
  static const char* const kKinds[] = {"embed", "pos_embed", "head", "mlp", "bias"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i][0] != kKinds[static_cast<int>(source.kind)]) continue;
    if (source.head && parts[i][1] != head_on(page, *source.head)) continue;
    if (source.kind == interpret::SourceKind::mlp && parts[i][1] != source.layer) continue;
    return i;
  }
  FAIL("no part for " << source.name);
  return 0;
}

void check_score(const Apart& page, const ordered_json& scores, const interpret::ScoreAttribution& exact,
                 std::size_t n) {
  const std::vector<double> q = unpacked(scores["q"]), k = unpacked(scores["k"]);
  const std::size_t S = scores["parts"].size(), d = q.size() / S / n;
  const std::size_t T = scores.contains("smear") ? 2 * S : S;
  REQUIRE(k.size() == T * n * d);
  std::vector<double> wanted(S * T, 0);
  for (std::size_t s = 0; s < exact.sources.size(); ++s)
    for (std::size_t t = 0; t < exact.key_sources.size(); ++t) {
      const interpret::Source& of_key = exact.key_sources[t];
      wanted[part_of(page, scores["parts"], exact.sources[s]) * T + of_key.back * S +
             part_of(page, scores["parts"], of_key)] += static_cast<double>(exact.terms(s, t));
    }
  double sum = 0;
  for (std::size_t s = 0; s < S; ++s)
    for (std::size_t t = 0; t < T; ++t) {
      double term = 0;
      for (std::size_t c = 0; c < d; ++c)
        term += q[(s * n + exact.query) * d + c] * k[(t * n + exact.key) * d + c];
      CHECK(std::abs(term - wanted[s * T + t]) < 1e-3);
      sum += term;
    }
  const double cap = scores.value("cap", 0.0), capped = cap == 0 ? sum : cap * std::tanh(sum / cap);
  const double bias = scores.contains("bias") ? unpacked(scores["bias"])[n - 1 + exact.query - exact.key] : 0;
  CHECK(std::abs(capped + bias - exact.score) < 1e-3 * std::max(1.0, std::abs(exact.score)));
}

ordered_json edge_between(const Apart& page, const interpret::Composition& c) {
  for (const ordered_json& edge : page.circuits["edges"])
    if (edge[0] == head_on(page, c.from) && edge[1] == head_on(page, c.to)) return edge;
  FAIL("no edge");
  return {};
}

}  // namespace

TEST_CASE("the page's factors give every term of a score", "[page_circuits]") {
  for (const interpret::KnownModel& s : interpret::subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = interpret::subject_model(s.config);
    const std::vector<Example> shown = two_examples(s.config);
    const Apart page = page_of(model, shown);
    REQUIRE(page.circuits["no_terms"] == "");
    REQUIRE(page.sequences[0]["terms"]["heads"].size() == s.config.n_layers * s.config.n_heads);
    CHECK(page.sequences[1]["terms"]["heads"].size() == page.sequences[0]["terms"]["heads"].size());
    for (const HeadAt at : {HeadAt{0, 0}, {1, 0}, {s.config.n_layers - 1, s.config.n_heads - 1}})
      for (const auto& [query, key] : {std::pair<std::size_t, std::size_t>{6, 5}, {2, 2}, {7, 5}}) {
        const auto exact = interpret::score_attribution(model, nn::one_sequence(shown[0].tokens), at, query,
                                                        key, {nn::one_sequence(shown[0].source)});
        const ordered_json& scores = page.sequences[0]["terms"]["heads"][head_on(page, at)];
        check_score(page, scores, exact, shown[0].tokens.size());
        CHECK(scores.value("window", std::size_t{0}) == s.config.window);
        CHECK(scores.contains("sink") == s.config.sinks);
        CHECK(scores.contains("smear") == s.config.smeared_keys);
        if (s.config.sinks)
          CHECK(scores["sink"] ==
                static_cast<double>(model.blocks[at.layer].attn.sinks.array().data()[at.head]));
      }
  }
}

TEST_CASE("the page has what each part contributes to the logits of guesses and targets", "[page_circuits]") {
  for (const interpret::KnownModel& s : interpret::subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = interpret::subject_model(s.config);
    const std::vector<Example> shown = two_examples(s.config);
    const Apart page = page_of(model, shown);
    const page::Shown& sequence = page.shown[0];
    const ordered_json& terms = page.sequences[0]["terms"]["logits"];
    const std::size_t S = terms["parts"].size(), n = shown[0].tokens.size();
    REQUIRE(terms["contributions"]["shape"] == ordered_json({S, n, 3}));
    const std::vector<double> values = unpacked(terms["contributions"]);
    for (std::size_t place = 0; place < 3; ++place) {
      IntArray targets = nn::one_sequence(shown[0].tokens);
      for (std::size_t i = 0; i < n; ++i)
        targets.data()[i] = place == 2                           ? sequence.example.targets[i]
                            : place < sequence.guesses[i].size() ? sequence.guesses[i][place].token
                                                                 : tasks::kNoTarget;
      const auto exact = interpret::direct_logit_attribution(
          model, nn::one_sequence(shown[0].tokens), targets, true, {nn::one_sequence(shown[0].source)});
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> wanted(S, 0);
        for (std::size_t source = 0; source < exact.sources.size(); ++source)
          wanted[part_of(page, terms["parts"], exact.sources[source])] +=
              static_cast<double>(exact.values(source, 0, i));
        for (std::size_t part = 0; part < S; ++part)
          CHECK(std::abs(values[(part * n + i) * 3 + place] - wanted[part]) < 1e-3);
      }
    }
  }
}

TEST_CASE("the page turns queries as the library does, at every distance", "[page_circuits]") {
  const interpret::KnownModel subject = interpret::subjects().front();
  const nn::Transformer model = interpret::subject_model(subject.config);
  const Apart page = page_of(model, two_examples(subject.config));
  const HeadAt at{1, 1};
  const ordered_json& circuit = page.circuits["heads"][head_on(page, at)];
  std::vector<double> queries = unpacked(circuit["qk"][0]);
  const std::vector<double> keys = unpacked(circuit["qk"][1]);
  const std::size_t d = subject.config.d_model / subject.config.n_heads;
  REQUIRE(page.circuits["turn"].size() == d * d);
  for (int distance = 0; distance < 8; ++distance) {
    interpret::CircuitOptions options;
    options.distance = distance;
    const Array exact = interpret::full_qk(model, at, interpret::CircuitInput::tokens,
                                           interpret::CircuitInput::tokens, options)
                            .product();
    const std::vector<double> scores = multiplied(queries, keys, d);
    for (std::size_t i = 0; i < scores.size(); ++i)
      CHECK(std::abs(scores[i] - static_cast<double>(exact.data()[i])) < 1e-3);
    queries = multiplied(queries, page.circuits["turn"], d);
  }
}

TEST_CASE("the page has each head's circuits and compositions", "[page_circuits]") {
  for (const interpret::KnownModel& s : interpret::subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = interpret::subject_model(s.config);
    const Apart page = page_of(model, two_examples(s.config));
    const bool rotates = s.config.positions == "rotary";
    CHECK(page.circuits["turn"].empty() != rotates);
    const HeadAt at{1, 0};
    const ordered_json& circuit = page.circuits["heads"][head_on(page, at)];
    const Array exact = interpret::full_ov(model, at).product();
    const std::vector<double> ov =
        multiplied(unpacked(circuit["ov"][0]), unpacked(circuit["ov"][1]), circuit["ov"][0]["shape"][1]);
    for (std::size_t i = 0; i < ov.size(); ++i)
      CHECK(std::abs(ov[i] - static_cast<double>(exact.data()[i])) < 2e-3);
    const interpret::HeadCircuit weights = interpret::circuit_of(model, at);
    CHECK(circuit["eigen"] == or_null(weights.copying_eigen));
    CHECK(circuit.contains("through") == (s.config.norm_place == nn::NormPlace::pre));
    for (std::size_t to = 0; to < page.n_heads; ++to) {  // of the second layer
      std::optional<std::size_t> most;
      double score = -HUGE_VAL;
      for (const interpret::Composition& c : interpret::compositions(model))
        if (c.to == HeadAt{1, to} && c.score.k > score) score = c.score.k, most = head_on(page, c.from);
      if (s.config.norm_place == nn::NormPlace::pre)
        CHECK(page.circuits["heads"][head_on(page, {1, to})]["through"]["head"] == most.value());
    }
    for (const interpret::Composition& c : interpret::compositions(model)) {
      const ordered_json edge = edge_between(page, c);
      CHECK(edge[2] == ordered_json({c.ratio.q, c.ratio.k, c.ratio.v}));
      CHECK(edge[3] == ordered_json({c.baseline.q, c.baseline.k, c.baseline.v}));
    }
  }
}

TEST_CASE("matrices that are hardly numbers have no strength of composition", "[page_circuits]") {
  const nn::TransformerConfig c = interpret::subjects().front().config;
  nn::Transformer model = interpret::subject_model(c);
  const auto scale = [&](nn::MultiHeadAttention& attention, bool values, double factor) {
    Array& a = (values ? attention.W_V : attention.W_Q).mutable_array();
    for (Real& x : a) x = static_cast<Real>(x * factor);
  };
  const auto edges = [&] {
    std::vector<std::pair<double, double>> keys_and_values;
    const Apart page = page_of(model, two_examples(c));
    for (const ordered_json& edge : page.circuits["edges"])
      if (edge[0].get<std::size_t>() == 0 && edge[1].get<std::size_t>() == c.n_heads)
        keys_and_values.emplace_back(edge[2][1], edge[2][2]);
    REQUIRE(keys_and_values.size() == 1);
    return keys_and_values[0];
  };
  const auto before = edges();
  REQUIRE((before.first > 0.01 && before.second > 0.01));
  scale(model.blocks[1].attn, false, 1e-18);  // what reads has no queries
  CHECK(edges() == std::pair(0.0, before.second));
  scale(model.blocks[0].attn, true, 1e-18);  // what writes has no values
  CHECK(edges() == std::pair(0.0, 0.0));
}

TEST_CASE("an encoder-decoder's page has the edges and circuits of both its stacks", "[page_circuits]") {
  const nn::TransformerConfig c{.architecture = nn::Architecture::encoder_decoder,
                                .n_layers = 2,
                                .d_model = 12,
                                .n_heads = 3,
                                .d_vocab = 9,
                                .n_ctx = 8,
                                .n_source = 6};
  const nn::Transformer model = interpret::subject_model(c);
  const Apart page = page_of(model, two_examples(c));
  REQUIRE(page.stacks.size() == 3);
  std::size_t edges = 0;
  for (const Stack stack : {Stack::self, Stack::encoder}) {
    interpret::CompositionOptions options;
    options.stack = stack;
    for (const interpret::Composition& composition : interpret::compositions(model, options)) {
      CHECK(edge_between(page, composition)[2] ==
            ordered_json({composition.ratio.q, composition.ratio.k, composition.ratio.v}));
      ++edges;
    }
  }
  CHECK(page.circuits["edges"].size() == edges);
  CHECK(page.circuits["heads"].size() == 18);
  for (const Stack stack : page.stacks)
    CHECK(page.circuits["heads"][head_on(page, {1, 2, stack})].contains("ov") == (stack != Stack::encoder));
}

TEST_CASE("the page has the scores of positions where positions have vectors", "[page_circuits]") {
  for (const interpret::KnownModel& s : interpret::subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = interpret::subject_model(s.config);
    const Apart page = page_of(model, two_examples(s.config));
    const ordered_json& circuit = page.circuits["heads"][head_on(page, {1, 0})];
    const bool vectors = static_cast<bool>(nn::positions().find(s.config.positions).vectors);
    CHECK(circuit.contains("positions") == vectors);
    if (!vectors) continue;
    const Array whole = interpret::full_qk(model, {1, 0}, interpret::CircuitInput::positions,
                                           interpret::CircuitInput::positions)
                            .product();
    Array exact = whole;
    if (s.config.smeared_keys) {
      const auto alpha = static_cast<double>(model.blocks[1].attn.smear.array().data()[0]);
      const double own = 1 / (1 + std::exp(-alpha));
      for (std::size_t i = 0; i < exact.shape()[0]; ++i)
        for (std::size_t j = 1; j < exact.shape()[1]; ++j)
          exact(i, j) = static_cast<Real>(own * static_cast<double>(whole(i, j)) +
                                          (1 - own) * static_cast<double>(whole(i, j - 1)));
    }
    const std::vector<double> scores =
        multiplied(unpacked(circuit["positions"][0]), unpacked(circuit["positions"][1]),
                   circuit["positions"][0]["shape"][1]);
    REQUIRE(scores.size() == exact.size());
    for (std::size_t i = 0; i < scores.size(); ++i)
      CHECK(std::abs(scores[i] - static_cast<double>(exact.data()[i])) < 2e-3);
  }
}

TEST_CASE("keys through an earlier head are what it writes when it looks at a token", "[page_circuits]") {
  const interpret::KnownModel subject = interpret::subjects().front();
  const nn::Transformer model = interpret::subject_model(subject.config);
  const Apart page = page_of(model, two_examples(subject.config));
  const HeadAt to{1, 0};
  const ordered_json& circuit = page.circuits["heads"][head_on(page, to)];
  REQUIRE(circuit.contains("through"));
  const auto numbers = [](const Array& x) { return std::vector<double>(x.begin(), x.end()); };
  const auto ov = interpret::ov_circuit(model, {0, circuit["through"]["head"].get<std::size_t>()}),
             qk = interpret::qk_circuit(model, to);
  const std::size_t d = subject.config.d_model;
  const std::vector<double> written = multiplied(
      multiplied(numbers(model.embed.W.array()), numbers(ov.left), d), numbers(ov.right), ov.left.shape()[1]);
  const std::vector<double> right = numbers(qk.right), packed = unpacked(circuit["through"]["right"]);
  const std::size_t V = subject.config.d_vocab;
  for (std::size_t c = 0; c < qk.right.shape()[0]; ++c)
    for (std::size_t t = 0; t < V; ++t) {
      double wanted = 0;
      for (std::size_t i = 0; i < d; ++i) wanted += right[c * d + i] * written[t * d + i];
      CHECK(std::abs(packed[c * V + t] - wanted) < 1e-3);
    }
}

TEST_CASE("matrices that would be too large are left out, and the page says why", "[page_circuits]") {
  const nn::TransformerConfig c{.n_layers = 2, .d_model = 8, .n_heads = 2, .d_vocab = 129, .n_ctx = 8};
  const nn::Transformer model = interpret::subject_model(c);
  const Apart page = page_of(model, two_examples(c));
  CHECK(
      page.circuits["no_matrices"] ==
      "The matrices of the heads are not on this page, because a vocabulary of 129 tokens and 4 heads would "
      "take too much room.");
  CHECK(page.circuits["heads"].size() == 4);
  CHECK(page.circuits["heads"][0] == ordered_json{{"eigen", nullptr}});
  CHECK(page.circuits["edges"].size() == 4);
  CHECK(page.sequences[0]["terms"]["heads"].size() == 4);
}

TEST_CASE("terms that would be too large are left out, and the page says why", "[page_circuits][long]") {
  const nn::TransformerConfig c{.n_layers = 6, .d_model = 128, .n_heads = 8, .d_vocab = 9, .n_ctx = 512};
  const nn::Transformer model = interpret::subject_model(c);
  const Apart page = page_of(model, two_examples(c));
  // Two bytes for each of 16 numbers of queries and of keys, of 512 tokens, for each head and for each of its
  // sources: embedding, biases and the 8 heads of each earlier layer. Base64 adds a third: 46.1 MB.
  CHECK(
      page.circuits["no_terms"] ==
      "The attention logits of this model are not taken apart here: the terms of one sequence would take 46 "
      "MB.");
  CHECK_FALSE(page.sequences[0].contains("terms"));
}

TEST_CASE("only as many sequences are taken apart as there is room for", "[page_circuits]") {
  const nn::TransformerConfig c{.n_layers = 2, .d_model = 64, .n_heads = 4, .d_vocab = 9, .n_ctx = 64};
  const nn::Transformer model = interpret::subject_model(c);
  std::vector<Example> shown = two_examples(c);
  shown.insert(shown.end(), {shown[0], shown[0]});
  const Apart page = page_of(model, shown);
  std::vector<bool> apart;
  for (const ordered_json& s : page.sequences) apart.push_back(s.contains("terms"));
  CHECK(apart == std::vector<bool>{true, true, true, false});
}

TEST_CASE("a sequence that the library refuses has no terms, and the page says why", "[page_circuits]") {
  const nn::TransformerConfig c{.n_layers = 2, .d_model = 8, .n_heads = 2, .d_vocab = 9, .n_ctx = 8};
  const nn::Transformer model = interpret::subject_model(c);
  std::vector<Example> shown = two_examples(c);
  shown[0].tokens[3] = 99;
  const Apart page = page_of(model, shown);
  CHECK(contains(page.circuits["no_terms"].get<std::string>(),
                 "cannot take this model's attention logits apart"));
  CHECK_FALSE(page.sequences[0].contains("terms"));
}
