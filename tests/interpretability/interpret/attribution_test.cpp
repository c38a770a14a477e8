// Attributions against interventions: with patterns, scales and MLPs held fixed, taking a source away takes
// its contributions away. And against sums over full matrices, written out.
#include "headlight/interpret/attribution.h"

#include "catch.h"
#include "circuits/stream.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/tasks/task.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

bool passes(const PathTerm& term, const HeadAt& at) {
  return std::find(term.heads.begin(), term.heads.end(), at) != term.heads.end();
}

double at(const Array& x, std::size_t i, std::size_t j, std::size_t k) {
  return static_cast<double>(x(i, j, k));
}

}  // namespace

TEST_CASE("what a source contributes at a position goes with it", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const nn::Given given = given_for(s.config);
    const CachedRun run = run_with_cache(model, read_tokens(), {}, {}, given);
    const LogitAttribution all = logit_attribution(model, read_tokens(), 5, 4, {}, given);
    CHECK(std::abs(all.logit - at(run.logits, 0, 5, 4)) < 1e-6);
    for (const std::size_t gone : {0U, 3U, 5U}) {
      nn::Hooks hooks = frozen(run);
      hooks.add("hook_embed",
                [&](const Tensor& x) { return without(x, [&](auto i) { return i / 12 == gone; }); });
      const double left = at(run_with_hooks(model, read_tokens(), hooks, given).array(), 0, 5, 4);
      double contributed = 0;
      for (const PathTerm& term : all.paths)
        if (term.source.kind == SourceKind::embed) contributed += term.by_position[gone];
      CHECK(std::abs(all.logit - left - contributed) < kExact);
    }
  }
}

TEST_CASE("the paths through a head go with it", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const nn::Given given = given_for(s.config);
    const CachedRun run = run_with_cache(model, read_tokens(), {}, {}, given);
    const LogitAttribution all = logit_attribution(model, read_tokens(), 6, 2, {}, given);
    for (const HeadAt head : {HeadAt{0, 1}, HeadAt{1, 0}}) {
      nn::Hooks hooks = frozen(run);
      const std::size_t heads = s.config.n_heads;
      hooks.add("blocks." + std::to_string(head.layer) + ".attn.hook_result", [&](const Tensor& x) {
        return without(x, [&](auto i) { return i / 12 % heads == head.head; });
      });
      const double left = at(run_with_hooks(model, read_tokens(), hooks, given).array(), 0, 6, 2);
      double contributed = 0;
      for (const PathTerm& term : all.paths)
        if (passes(term, head)) contributed += term.value;
      CHECK(std::abs(all.logit - left - contributed) < kExact);
    }
  }
}

// W_E W_V W_O C diag(ln1.w) W_V' W_O' C diag(ln_final.w) W_U along the patterns A and A', over the scales.
TEST_CASE("a path through two heads is a product of patterns and circuits", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[0].config);
  const CachedRun run = run_with_cache(model, read_tokens());
  const LogitAttribution all = logit_attribution(model, read_tokens(), 6, 2);
  const Array ov1 = ov_circuit(model, {0, 1}).product(), ov2 = ov_circuit(model, {1, 0}).product();
  std::vector<double> u(12);
  double mean = 0;
  for (std::size_t d = 0; d < 12; ++d) {
    u[d] =
        static_cast<double>(model.ln_final.w.array()(d)) * static_cast<double>(model.unembed.W.array()(d, 2));
    mean += u[d] / 12;
  }
  const Array &A1 = run.cache["blocks.0.attn.hook_pattern"], &A2 = run.cache["blocks.1.attn.hook_pattern"],
              &s1 = run.cache["blocks.0.ln1.hook_scale"], &s2 = run.cache["blocks.1.ln1.hook_scale"],
              &sf = run.cache["ln_final.hook_scale"], &E = run.cache["hook_embed"];
  std::vector<double> from(7, 0);
  for (std::size_t k = 0; k < 7; ++k)
    for (std::size_t j = 0; j < 7; ++j)
      for (std::size_t a = 0; a < 12; ++a)
        for (std::size_t b = 0; b < 12; ++b)
          for (std::size_t c = 0; c < 12; ++c)
            from[k] += static_cast<double>(A2(0, 0, 6, j)) * static_cast<double>(A1(0, 1, j, k)) *
                       at(E, 0, k, a) / at(s1, 0, k, 0) * static_cast<double>(ov1(a, b)) / at(s2, 0, j, 0) *
                       static_cast<double>(ov2(b, c)) * (u[c] - mean) / at(sf, 0, 6, 0);
  const std::vector<HeadAt> path{{0, 1}, {1, 0}};
  bool found = false;
  for (const PathTerm& term : all.paths) {
    if (term.heads != path || term.source.kind != SourceKind::embed) continue;
    found = true;
    for (std::size_t k = 0; k < 7; ++k) CHECK(std::abs(term.by_position[k] - from[k]) < kExact);
  }
  CHECK(found);
  CHECK(by_writers(all).size() == 9);  // (1 + 2)²
  double sum = 0;
  for (const PathTerm& term : by_writers(all)) sum += term.value;
  CHECK(std::abs(sum - all.logit) < kExact);
}

TEST_CASE("what an MLP writes is no direct path", "[attribution]") {
  const KnownModel s = subjects()[4];
  REQUIRE(s.config.d_mlp > 0);
  const nn::Transformer model = subject_model(s.config);
  const LogitAttribution all = logit_attribution(model, nn::one_sequence({6, 2, 5}), 2, 3);
  std::map<std::string, double> direct;  // of each source that no head reads
  for (const PathTerm& term : all.paths)
    if (term.heads.empty())
      direct[term.source.kind == SourceKind::mlp ? term.source.name : "direct"] += term.value;
  REQUIRE(direct.size() == 3);
  double sum = 0;
  for (const PathTerm& term : by_writers(all)) {
    sum += term.value;
    if (!term.heads.empty()) continue;
    const std::string name = term.source.kind == SourceKind::mlp ? term.source.name : "direct";
    CHECK(std::abs(term.value - direct.at(name)) < kExact);
  }
  CHECK(std::abs(sum - all.logit) < kExact);
}

// Of one token: the path from the embedding through one head is an entry of its full OV circuit, over the
// scales.
TEST_CASE("a path through one head is an entry of its full circuit", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    if (s.config.n_source > 0) continue;
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const IntArray token = nn::one_sequence({6});
    const CachedRun run = run_with_cache(model, token);
    const LogitAttribution all = logit_attribution(model, token, 0, 3);
    const bool pre = s.config.norm_place == nn::NormPlace::pre;
    for (const HeadAt head : {HeadAt{0, 1}, HeadAt{1, 0}}) {
      const std::string block = "blocks." + std::to_string(head.layer);
      double scales = 1;
      for (const std::string& name : run.cache.names())
        if (name.ends_with("ln1.hook_scale") || name.ends_with("ln2.hook_scale") ||
            name == "ln_final.hook_scale")
          if (!pre || name == block + ".ln1.hook_scale" || name == "ln_final.hook_scale")
            scales *= at(run.cache[name], 0, 0, 0);
      const double weight = static_cast<double>(run.cache[block + ".attn.hook_pattern"](0, head.head, 0, 0));
      const double expected = weight * static_cast<double>(full_ov(model, head).product()(6, 3)) / scales;
      std::size_t found = 0;
      for (const PathTerm& term : all.paths) {
        if (term.heads != std::vector<HeadAt>{head} || term.source.kind != SourceKind::embed) continue;
        CHECK(std::abs(term.value - expected) < kExact);
        ++found;
      }
      CHECK(found == 1);
    }
  }
}

TEST_CASE("a logit can be taken less the mean or another token's", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[0].config);
  const Array logits = run_with_cache(model, read_tokens()).logits;
  double mean = 0;
  for (std::size_t t = 0; t < 9; ++t) mean += at(logits, 0, 4, t) / 9;
  const LogitAttribution less_mean = logit_attribution(model, read_tokens(), 4, 3, {.minus_mean = true}),
                         less_other = logit_attribution(model, read_tokens(), 4, 3, {.minus = 7});
  CHECK(std::abs(less_mean.logit - at(logits, 0, 4, 3) + mean) < kExact);
  CHECK(std::abs(less_other.logit - at(logits, 0, 4, 3) + at(logits, 0, 4, 7)) < kExact);
}

TEST_CASE("direct contributions are the direct paths, and go with a head", "[attribution]") {
  for (const KnownModel& s : subjects()) {
    CAPTURE(s.name);
    const nn::Transformer model = subject_model(s.config);
    const IntArray tokens{{3, 1, 4, 1, 5, 2}, {8, 7, 0, 2, 2, 6}},
        targets{{1, 4, -1, 5, 2, 6}, {7, 0, 2, 2, 6, -1}};
    const nn::Given given =
        s.config.n_source == 0 ? nn::Given() : nn::Given{.source = IntArray{{7, 0}, {8, 2}}};
    const CachedRun run = run_with_cache(model, tokens, {}, {}, given);
    const DirectAttribution direct = direct_logit_attribution(model, tokens, targets, false, given);
    CHECK(direct.values.shape() == Shape{direct.sources.size(), 2, 6});
    const std::size_t last = s.config.n_layers - 1;
    nn::Hooks hooks = frozen(run);
    hooks.add("blocks." + std::to_string(last) + ".attn.hook_result", [&](const Tensor& x) {
      return without(x, [&](auto i) { return i / 12 % s.config.n_heads == 1; });
    });
    const Array left = run_with_hooks(model, tokens, hooks, given).array();
    const auto source = std::find_if(direct.sources.begin(), direct.sources.end(), [&](const Source& x) {
      return x.head == HeadAt{last, 1};
    });
    REQUIRE(source != direct.sources.end());
    const auto index = static_cast<std::size_t>(source - direct.sources.begin());
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < 6; ++i) {
        const std::int32_t t = targets(b, i);
        const double value = at(direct.values, index, b, i);
        if (t == tasks::kNoTarget) {
          CHECK((value == 0 && direct.logits(b, i) == 0));
          continue;
        }
        const auto token = static_cast<std::size_t>(t);
        CHECK(std::abs(at(run.logits, b, i, token) - at(left, b, i, token) - value) < kExact);
      }
  }
}

TEST_CASE("the logit lens reads every layer and ends at the logits", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[1].config),
                        one = subject_model(subjects()[3].config);
  const CachedRun run = run_with_cache(model, read_tokens());
  const Array lens = logit_lens(model, read_tokens());
  CHECK(lens.shape() == Shape{4, 1, 7, 9});
  const LogitSources sources = factored_logits(one, read_tokens());
  const Array tied = logit_lens(one, read_tokens());
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t t = 0; t < 9; ++t) {
      CHECK(lens(3, 0, i, t) == run.logits(0, i, t));
      double logit = 0, first = 0, scale = 0, mean = 0;
      for (std::size_t s = 0; s < sources.sources.size(); ++s)
        for (std::size_t d = 0; d < 12; ++d)
          logit += at(sources.x, s, i, d) * static_cast<double>(one.embed.W.array()(t, d));
      CHECK(std::abs(logit - static_cast<double>(tied(2, 0, i, t))) < kExact);
      const Array& x = run.cache["blocks.1.hook_resid_pre"];
      for (std::size_t d = 0; d < 12; ++d) mean += at(x, 0, i, d) / 12;
      for (std::size_t d = 0; d < 12; ++d) scale += (at(x, 0, i, d) - mean) * (at(x, 0, i, d) - mean) / 12;
      for (std::size_t d = 0; d < 12; ++d)
        first += ((at(x, 0, i, d) - mean) / std::sqrt(scale + 1e-5) *
                      static_cast<double>(model.ln_final.w.array()(d)) +
                  static_cast<double>(model.ln_final.b.array()(d))) *
                 static_cast<double>(model.unembed.W.array()(d, t));
      CHECK(std::abs(first - static_cast<double>(lens(1, 0, i, t))) < kExact);
    }
}

TEST_CASE("the logit lens reads a changed pass, and what later layers do not write", "[attribution]") {
  for (const KnownModel& subject : subjects()) {
    if (subject.config.norm_place == nn::NormPlace::post) continue;
    INFO(subject.name);
    const nn::Transformer model = subject_model(subject.config);
    const nn::Given given = given_for(subject.config);
    const nn::Hooks changes{{"blocks.0.hook_attn_out", [](const Tensor& x) { return x * Real{2}; }}};
    const Array lens = logit_lens(model, read_tokens(), given, changes);
    for (std::size_t layer = 0; layer <= model.blocks.size(); ++layer) {
      nn::Hooks ended = changes;  // the blocks from this one on write nothing
      for (std::size_t l = layer; l < model.blocks.size(); ++l)
        for (const std::string& name : nn::hook_names(model))
          if (name.starts_with(fmt::format("blocks.{}.hook_", l)) &&
              (name.ends_with("attn_out") || name.ends_with("mlp_out")))
            ended.add(name, [](const Tensor& x) { return x * Real{0}; });
      const Array logits = run_with_hooks(model, read_tokens(), ended, given).array();
      for (std::size_t i = 0; i < logits.size(); ++i)
        CHECK(std::abs(static_cast<double>(logits.data()[i]) -
                       static_cast<double>(lens.data()[layer * logits.size() + i])) < kExact);
    }
  }
}

TEST_CASE("contributions that do not add up are refused", "[attribution]") {
  check_sum("op", 1, 1 + kExact / 1e4, 0);
  check_sum("op", 0, 1e-7, 1e3);
  CHECK(contains(error_of([] { check_sum("op", 1, 1.0001, 0); }),
                 "[op] the contributions add up to 1, but the model's number is 1.0001: a gap of 0.0001"));
  CHECK(contains(error_of([] { check_sum("op", 2e6, 2e6 + 100, 1); }), "a gap of 1e+02"));
}

TEST_CASE("what cannot be attributed is refused", "[attribution]") {
  const nn::Transformer model = subject_model(subjects()[0].config);
  const IntArray two{{1, 2}, {3, 4}};
  const auto refusal = [](auto&& call) { return error_of(call); };
  CHECK(contains(refusal([&] { logit_attribution(model, two, 0, 0); }),
                 "expected one sequence (1,n), got (2,2)"));
  CHECK(contains(refusal([&] { logit_attribution(model, read_tokens(), 7, 0); }),
                 "expected a position 0 … 6, got 7"));
  CHECK(contains(refusal([&] { logit_attribution(model, read_tokens(), 0, 9); }), "token 9 is outside"));
  CHECK(contains(refusal([&] { logit_attribution(model, read_tokens(), 0, 1, {.minus = -2}); }), "token -2"));
  CHECK(contains(
      refusal([&] { logit_attribution(model, read_tokens(), 0, 1, {.minus_mean = true, .minus = 2}); }),
      "got both"));
  CHECK(contains(refusal([&] { logit_attribution(model, read_tokens(), 0, 1, {.most_paths = 8}); }),
                 "have 9 sequences of heads"));
  CHECK(contains(refusal([&] { direct_logit_attribution(model, two, IntArray{{1, 2}}); }), "got (1,2)"));
  CHECK(contains(refusal([&] {
                   direct_logit_attribution(model, two, IntArray{{1, 2}, {3, 9}});
                 }),
                 "target 9"));
  CHECK(contains(refusal([&] { factored_logits(model, two); }), "[factored_logits] expected one sequence"));
  CHECK(contains(refusal([&] { logit_lens(model, two, {.dropout_seed = 1}); }), "got a dropout"));
}

TEST_CASE("a path's main position has the sign of the whole", "[interpret]") {
  PathTerm term;
  term.by_position = {-3, 2, 1, -1};
  term.value = 1;
  CHECK(term.main_position() == 1);
  term.value = -1;
  CHECK(term.main_position() == 0);
}
