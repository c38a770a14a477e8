// Attention against loops over single elements, in double precision in both builds.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention_problem.h"
#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "naive.h"
#include "property.h"

using namespace headlight;

namespace {

// The value; each input's gradient by differences of the loops along a random direction; and the gradient
// recorded for a second one.
void require_equals_loops(const Problem& p, Rng& rng) {
  INFO("form " << int(p.form) << ", B " << p.B << ", H " << p.H << ", n " << p.n << ", m " << p.m << ", d_k "
               << p.d_k << ", d_v " << p.d_v << (p.options.causal ? ", causal" : "")
               << (p.options.mask ? ", mask " + to_string(p.options.mask->shape()) : "")
               << (p.biased ? ", bias " + to_string(p.inputs[3].shape()) : "")
               << (p.options.window ? ", window " + std::to_string(*p.options.window) : "")
               << (p.relative ? ", relative " + to_string(p.inputs[p.relative_input()].shape()) : "")
               << " from " << p.options.relative.first << ", heads of keys " << p.kv_heads()
               << (p.sinks ? ", sinks" : "") << ", cap " << p.options.cap << ", dropout " << p.options.dropout
               << ", first query " << p.options.first_query);
  std::vector<Numbers> in;
  for (const Tensor& x : p.inputs) in.push_back(naive::numbers(x.array()));
  const Tensor y = p(p.inputs);
  REQUIRE(difference(y.array(), naive::array(p.loops(in), p.shape(p.n, p.d_v))) < kRounding);

  const Tensor u = randn(y.shape(), rng);
  const auto gradients = grad(y, p.inputs, {.cotangent = u, .retain_graph = true}),
             recorded = grad(y, p.inputs, {.cotangent = u, .create_graph = true});
  for (std::size_t i = 0; i < in.size(); ++i) {
    INFO("input " << i);
    const Numbers direction = naive::numbers(rng.normal_array(p.inputs[i].shape())),
                  weights = naive::numbers(u.array());
    const auto moved = [&](double step) {
      std::vector<Numbers> there = in;
      for (std::size_t k = 0; k < direction.size(); ++k) there[i][k] += step * direction[k];
      return naive::dot(weights, p.loops(there));
    };
    const double slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    const double found = naive::dot(naive::numbers(gradients[i].array()), direction);
    REQUIRE(std::abs(found - slope) < (kDouble ? 1e-7 : 3e-4) * (1 + std::abs(slope)));
    REQUIRE(difference(recorded[i].array(), gradients[i].array()) < 10 * kRounding);
  }
}

constexpr Form kForms[] = {Form::one_head, Form::batch, Form::heads, Form::side_by_side};

}  // namespace

TEST_CASE("attention equals loops over its elements for random problems", "[ops]") {
  std::size_t hidden_rows = 0;
  for_all(400, [&](Rng& rng, std::size_t size) {
    const auto length = [&] { return 1 + rng.below(size); };
    const Form form = kForms[rng.below(4)];
    Problem p = problem(form, length(), length(), length(), length(), length(), length(), rng);
    p.options.causal = rng.below(2) == 0;
    if (rng.below(2) == 0) p.options.scale = 0.1 + rng.uniform();
    if (rng.below(2) == 0) p.options.mask = naive::random_mask(rng, naive::random_operand(rng, p.scores()));
    if (rng.below(2) == 0) p.options.window = length();
    if (rng.below(2) == 0) add_bias(p, naive::random_operand(rng, p.scores()), rng);
    if (rng.below(2) == 0) {
      const int first = int(rng.below(2 * size)) - int(size);
      add_relative(p, rng.below(2) == 0 ? 1 : p.H, length(), first, rng);
    }
    if (form == Form::side_by_side && rng.below(2) == 0) {
      std::size_t kv_heads = length();
      while (p.H % kv_heads != 0) kv_heads = length();
      share_heads(p, kv_heads, rng);
    }
    if (rng.below(2) == 0) add_sinks(p, rng);
    if (rng.below(2) == 0) p.options.cap = 0.2 + rng.uniform();
    if (rng.below(2) == 0) p.options.first_query = rng.below(size);
    if (rng.below(2) == 0) p.options.dropout = 0.8 * rng.uniform(), p.options.dropout_seed = rng.next();
    for (std::size_t i = 0, seen = 0; i < p.n; ++i, hidden_rows += seen == 0, seen = 0)
      for (std::size_t j = 0; j < p.m; ++j) seen += p.sees(0, 0, i, j);
    require_equals_loops(p, rng);
  });
  CHECK(hidden_rows > 20);  // rows that see nothing were among them
}

TEST_CASE("attention's mask and bias broadcast in every position", "[ops][broadcasting]") {
  Rng rng(8);
  for (const Form form : kForms) {
    Problem p = problem(form, 2, 3, 2, 4, 2, 3, rng);
    for (const Shape& shape : naive::operands(p.scores())) {
      p.options.mask = naive::random_mask(rng, shape);
      require_equals_loops(p, rng);
      p.options.mask.reset();
      add_bias(p, shape, rng);
      require_equals_loops(p, rng);
      // A bias that is the same for all keys of a query does not matter: there would be only noise to
      // compare.
      const bool same_for_all_keys = shape.empty() || shape.back() == 1;
      if (same_for_all_keys) {
        const Tensor dbias = grad(sum(p(p.inputs)), {p.inputs[3]})[0];
        for (const Real g : dbias.array()) CHECK(std::abs(g) < kRounding);
      } else {
        const auto report = check_second("attention with a bias " + to_string(shape), p, p.inputs);
        INFO(report.message);
        CHECK(report.ok);
      }
      p.inputs.pop_back();
      p.biased = false;
    }
  }
}

TEST_CASE("attention over several tiles equals loops", "[ops]") {
  Rng rng(9);
  for (const auto& [n, m] : {std::pair{70, 67}, {130, 65}, {65, 130}, {64, 128}})
    for (const bool causal : {false, true}) {
      Problem p = problem(Form::side_by_side, 1, 2, std::size_t(n), std::size_t(m), 3, 2, rng);
      p.options.causal = causal;
      p.options.mask = naive::random_mask(rng, {std::size_t(n), std::size_t(m)});
      add_bias(p, {std::size_t(m)}, rng);
      require_equals_loops(p, rng);
    }
}

TEST_CASE("windows and relative biases over several tiles equal loops", "[ops]") {
  Rng rng(13);
  for (const auto& [n, m] : {std::pair{70, 300}, {300, 70}, {150, 150}})
    for (const bool causal : {false, true})
      for (const std::size_t window : {1U, 5U, 40U, 1000U}) {
        Problem p = problem(Form::side_by_side, 1, 2, std::size_t(n), std::size_t(m), 3, 2, rng);
        p.options.causal = causal;
        p.options.window = window;
        add_relative(p, 2, 50, causal ? 0 : -25, rng);
        require_equals_loops(p, rng);
      }
}

TEST_CASE("sinks, caps, dropout and shared heads over several tiles equal loops", "[ops]") {
  Rng rng(15);
  for (const auto& [n, m] : {std::pair{70, 200}, {130, 130}})
    for (const bool causal : {false, true}) {
      Problem p = problem(Form::side_by_side, 1, 4, std::size_t(n), std::size_t(m), 3, 2, rng);
      p.options.causal = causal;
      share_heads(p, 2, rng);
      add_relative(p, 4, 50, 10, rng);
      add_sinks(p, rng);
      require_equals_loops(p, rng);
      p.options.first_query = 30;
      p.options.window = causal ? std::optional<std::size_t>(60) : std::nullopt;
      p.options.cap = 1;
      require_equals_loops(p, rng);
      p.options.dropout = 0.25;
      require_equals_loops(p, rng);
    }
}

// ALiBi, by its definition: the score of query i and key j gets -slope_h·(i - j).
TEST_CASE("a relative bias in arithmetic steps is ALiBi", "[ops]") {
  Rng rng(14);
  const std::size_t n = 6;
  const Tensor q = randn({2, 2, n, 3}, rng), k = randn({2, 2, n, 3}, rng), v = randn({2, 2, n, 3}, rng);
  Array steps = full_array({2, n}, 0), dense = full_array({2, n, n}, 0);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < n; ++i) {
      steps(h, i) = static_cast<Real>(-0.25) * Real(h + 1) * Real(i);
      for (std::size_t j = 0; j <= i; ++j)
        dense(h, i, j) = static_cast<Real>(-0.25) * Real(h + 1) * Real(i - j);
    }
  const Tensor alibi =
      scaled_dot_product_attention(q, k, v, {.causal = true, .relative = {.values = Tensor(steps)}});
  const Tensor spelt_out = scaled_dot_product_attention(q, k, v, {.causal = true, .bias = Tensor(dense)});
  CHECK(difference(alibi.array(), spelt_out.array()) == 0);
}

// A query that meets its first visible key, or its largest score, in a later tile of keys.
TEST_CASE("the running softmax may begin late and may have to start over", "[ops]") {
  Rng rng(10);
  Problem p = problem(Form::side_by_side, 1, 1, 6, 200, 4, 3, rng);
  BoolArray visible({6, 200}, true);
  for (std::size_t j = 0; j < 200; ++j) {
    visible(0, j) = j >= 150;  // nothing in the first two tiles
    visible(1, j) = j < 10;    // nothing in the later ones
    visible(2, j) = false;
    visible(3, j) = j == 199;
  }
  p.options.mask = visible;
  require_equals_loops(p, rng);

  Array bias = full_array({6, 200}, 0);
  bias(4, 199) = 30;  // larger than all before it
  for (std::size_t j = 0; j < 200; ++j) bias(5, j) = static_cast<Real>(j) / 4;
  p.inputs.push_back(parameter(bias));
  p.biased = true;
  require_equals_loops(p, rng);
}

TEST_CASE("attention over tiles survives scores of ten thousand", "[ops]") {
  const std::size_t n = 150;
  Array q = full_array({n, 1}, 100), k = full_array({n, 1}, 0), v = full_array({n, 1}, 0);
  for (std::size_t j = 0; j < n; ++j) {
    k(j, 0) = static_cast<Real>(j < 149 ? -100 : 100);  // scores of -10,000 and one of 10,000
    v(j, 0) = static_cast<Real>(j);
  }
  const Tensor Q = parameter(q), K = parameter(k), V = parameter(v);
  const Tensor z = scaled_dot_product_attention(Q, K, V);
  for (std::size_t i = 0; i < n; ++i) CHECK(z.array()(i, 0) == 149);
  const auto gradients = grad(sum(z), {Q, K, V});
  for (std::size_t j = 0; j < n; ++j) {
    CHECK(gradients[0].array()(j, 0) == 0);
    CHECK(gradients[2].array()(j, 0) == (j < 149 ? 0 : Real(n)));
  }
}

TEST_CASE("a NaN score is not lost among hidden keys", "[ops]") {
  Rng rng(12);
  constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
  const Array v = rng.normal_array({40, 3});
  for (const std::size_t at : {0, 37}) {
    Array q = rng.normal_array({1, 2}), k = rng.normal_array({40, 2});
    k(at, 0) = kNaN;
    BoolArray only({1, 40}, false);
    only(0, at) = true;
    const Tensor hidden = scaled_dot_product_attention(Tensor(q), Tensor(k), Tensor(v), {.mask = only});
    for (const Real x : hidden.array()) CHECK(std::isnan(x));
    k(at, 0) = 0;
    q(0, 1) = kNaN;
    const Tensor all = scaled_dot_product_attention(Tensor(q), Tensor(k), Tensor(v));
    for (const Real x : all.array()) CHECK(std::isnan(x));
  }
}

// 2 sequences of 2,048 tokens with 4 heads would have patterns of 134 MB.
TEST_CASE("an infinite score of a hidden key reaches no query", "[ops]") {
  const Real inf = std::numeric_limits<Real>::infinity();
  Rng rng(5);
  const Array q = rng.uniform_array({1, 20, 4}, 0.5, 1), v = rng.normal_array({1, 20, 4});
  Array k = rng.normal_array({1, 20, 4});
  const auto mixed = [&] {
    return scaled_dot_product_attention(Tensor(q), Tensor(k), Tensor(v), {.causal = true}).array();
  };
  const Array before = mixed();
  for (std::size_t c = 0; c < 4; ++c) k(0, 19, c) = inf;
  const Array after = mixed();
  for (std::size_t i = 0; i < 19 * 4; ++i) CHECK(after.data()[i] == before.data()[i]);
}

TEST_CASE("attention's memory grows with the length, not with its square", "[ops][memory]") {
  Rng rng(11);
  const Tensor x = parameter(rng.normal_array({2, 2048, 16}));
  trim_buffer_pool();
  const auto before = buffer_pool_stats().system_bytes;
  const auto g = grad(sum(scaled_dot_product_attention(x, x, x, {.causal = true, .n_heads = 4})), {x});
  CHECK(buffer_pool_stats().system_bytes - before < 16 * x.size() * sizeof(Real));
  const Tensor slopes = parameter(rng.normal_array({4, 2048}));
  const AttentionOptions local{.window = 100, .relative = {slopes, -1000}, .n_heads = 4};
  const auto with_terms = grad(sum(scaled_dot_product_attention(x, x, x, local)), {x, slopes});
  CHECK(buffer_pool_stats().system_bytes - before < 16 * x.size() * sizeof(Real));
}
