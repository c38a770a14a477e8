// Scores source by source, against interventions and the model's own scores.
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

double number(const Array& x, std::size_t i, std::size_t j, std::size_t k) {
  return static_cast<double>(x(i, j, k));
}

// The score before cap and bias, from the model's own.
double uncapped(double score, double bias, double cap) {
  return cap == 0 ? score - bias : cap * std::atanh((score - bias) / cap);
}

// The sum of the terms in which the source takes part, as query, as key or as both.
double terms_with(const ScoreAttribution& a, const std::string& source) {
  double sum = 0;
  for (std::size_t s = 0; s < a.sources.size(); ++s)
    for (std::size_t t = 0; t < a.key_sources.size(); ++t)
      if (a.sources[s].name == source || a.key_sources[t].name == source)
        sum += static_cast<double>(a.terms(s, t));
  return sum;
}

}  // namespace

TEST_CASE("what an earlier head contributes to a score goes with it", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const nn::Given given = given_for(s.config);
    const CachedRun run = run_with_cache(model, read_tokens(), {}, {}, given);
    const std::size_t heads = s.config.n_heads;
    nn::Hooks hooks = frozen(run);
    hooks.add("blocks.0.attn.hook_result", [&](const Tensor& x) {
      Array y = x.array();
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i / 12 % heads == 1) y.data()[i] = 0;
      return Tensor(std::move(y));
    });
    Array left;
    hooks.add("blocks.1.attn.hook_attn_scores", [&](const Tensor& x) { return left = x.array(), Tensor(); });
    run_with_hooks(model, read_tokens(), hooks, given);
    for (const auto& [query, key] : {std::pair<std::size_t, std::size_t>{5, 4}, {6, 6}, {2, 1}}) {
      const ScoreAttribution a = score_attribution(model, read_tokens(), {1, 0}, query, key, given);
      const double without =
          uncapped(static_cast<double>(left(0, 0, query, key)), a.bias, s.config.score_cap);
      CHECK(std::abs(a.sum - without - terms_with(a, "L0H1")) < kExact);
      CHECK(a.score == static_cast<double>(run.cache["blocks.1.attn.hook_attn_scores"](0, 0, query, key)));
      CHECK(std::abs(uncapped(a.score, a.bias, s.config.score_cap) - a.sum) < kExact);
    }
  }
}

// A smeared key holds its own token and the one before it: each goes with its own embedding.
TEST_CASE("what a token's embedding contributes to a key goes with it", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const nn::Given given = given_for(s.config);
    const CachedRun run = run_with_cache(model, read_tokens(), {}, {}, given);
    const std::size_t query = 5, key = 3, last = s.config.n_heads - 1;
    const ScoreAttribution a = score_attribution(model, read_tokens(), {0, last}, query, key, given);
    for (const std::size_t back : {0U, 1U}) {
      nn::Hooks hooks = frozen(run);
      hooks.add("hook_embed", [&](const Tensor& x) {
        return without(x, [&](std::size_t i) { return i / s.config.d_model == key - back; });
      });
      Array left;
      hooks.add("blocks.0.attn.hook_attn_scores",
                [&](const Tensor& x) { return left = x.array(), Tensor(); });
      run_with_hooks(model, read_tokens(), hooks, given);
      const double changed =
          uncapped(static_cast<double>(left(0, last, query, key)), a.bias, s.config.score_cap);
      double column = 0;
      std::size_t columns = 0;
      for (std::size_t t = 0; t < a.key_sources.size(); ++t) {
        if (a.key_sources[t].name != "embed" || a.key_sources[t].back != back) continue;
        ++columns;
        for (std::size_t q = 0; q < a.sources.size(); ++q) column += static_cast<double>(a.terms(q, t));
      }
      CHECK(columns == (back == 0 || s.config.smeared_keys ? 1 : 0));
      CHECK(std::abs(a.sum - changed - column) < kExact);
    }
  }
}

TEST_CASE("a key with nothing before it is its own, whether keys are smeared or not", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    for (const std::size_t n : {1U, 2U}) {
      const IntArray tokens = nn::one_sequence({read_tokens().begin(), read_tokens().begin() + n});
      const auto a = score_attribution(model, tokens, {1, 0}, n - 1, 0, given_for(s.config));
      CHECK(a.key_sources.size() == a.sources.size());
      double sum = 0;
      for (const Real term : a.terms) sum += static_cast<double>(term);
      CHECK(std::abs(sum - a.sum) < kExact);
    }
  }
}

TEST_CASE("the factored scores of all heads give every attribution", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const nn::Given given = given_for(s.config);
    const ScoreSources all = factored_scores(model, read_tokens(), given);
    REQUIRE(all.heads.size() == s.config.n_layers * s.config.n_heads);
    const HeadScoreSources& h = all.heads[s.config.n_heads + 1];
    CHECK(head_code(h.at) == "L1H1");
    const ScoreAttribution a = score_attribution(model, read_tokens(), h.at, 6, 5, given);
    REQUIRE((h.sources.size() == a.sources.size() && h.key_sources.size() == a.key_sources.size()));
    REQUIRE(h.key_sources.size() == h.k.shape()[0]);
    for (std::size_t x = 0; x < h.sources.size(); ++x)
      for (std::size_t y = 0; y < h.key_sources.size(); ++y) {
        double term = 0;
        for (std::size_t d = 0; d < h.q.shape()[2]; ++d) term += number(h.q, x, 6, d) * number(h.k, y, 5, d);
        CHECK(std::abs(term - static_cast<double>(a.terms(x, y))) < kExact);
      }
    const Array scores =
        run_with_cache(model, read_tokens(), {}, {}, given).cache["blocks.1.attn.hook_attn_scores"];
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 7; ++j) CHECK(h.scores(i, j) == scores(0, 1, i, j));
  }
}

TEST_CASE("the sources of a score are named, and say where heads looked", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[0].config);
  const Array pattern = run_with_cache(model, read_tokens()).cache["blocks.0.attn.hook_pattern"];
  const ScoreAttribution a = score_attribution(model, read_tokens(), {1, 0}, 6, 4);
  std::vector<std::string> names;
  for (const Source& source : a.sources) names.push_back(source.name);
  CHECK(names == std::vector<std::string>{"embed", "L0H0", "L0H1", "blocks.0.attn.b_O", "blocks.1.ln1.b",
                                          "blocks.1.attn.b_Q, b_K"});
  CHECK_FALSE(a.query_from[0].has_value());
  for (const std::size_t head : {0U, 1U})
    for (const auto& [position, from] : {std::pair{6U, a.query_from[1 + head]}, {4U, a.key_from[1 + head]}}) {
      REQUIRE(from.has_value());
      for (std::size_t j = 0; j < 7; ++j)
        CHECK(pattern(0, head, position, j) <= pattern(0, head, position, *from));
    }
}

TEST_CASE("a score that there is not is refused", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[0].config),
                        both = subject_model(subjects().back().config);
  const auto refusal = [](auto&& call) { return error_of(call); };
  CHECK(contains(refusal([&] {
                   score_attribution(model, read_tokens(), {1, 0}, 2, 5);
                 }),
                 "[score_attribution] query 2 does not see key 5"));
  CHECK(contains(refusal([&] {
                   score_attribution(model, read_tokens(), {2, 0}, 2, 1);
                 }),
                 "there is no layer 2"));
  CHECK(contains(refusal([&] {
                   score_attribution(model, read_tokens(), {1, 0}, 7, 1);
                 }),
                 "expected positions 0 … 6"));
  CHECK(contains(refusal([&] {
                   score_attribution(both, read_tokens(), {1, 0, Stack::cross}, 2, 1,
                                     given_for(subjects().back().config));
                 }),
                 "got layer 1, head 0 of cross-attention"));
  CHECK(contains(refusal([&] {
                   factored_scores(model, IntArray{{1, 2}, {3, 4}});
                 }),
                 "[factored_scores] expected one sequence"));
}
