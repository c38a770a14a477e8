// What the options of attention mean, beside the loops of attention_test.cpp.
#include <algorithm>
#include <limits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/core/pattern_dropout.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

// Each of the `heads` blocks of columns of x (B,n,·), `times` times in a row.
Tensor repeat_heads(const Tensor& x, std::size_t heads, std::size_t times) {
  std::vector<Tensor> blocks;
  const int width = int(x.length(-1) / heads);
  for (int h = 0; h < int(heads); ++h)
    for (std::size_t t = 0; t < times; ++t) blocks.push_back(slice(x, -1, h * width, (h + 1) * width));
  return concat(blocks, -1);
}

struct Inputs {
  Rng rng{21};
  Tensor q = parameter(rng.normal_array({2, 7, 12})), k = parameter(rng.normal_array({2, 7, 12})),
         v = parameter(rng.normal_array({2, 7, 8}));
};

}  // namespace

TEST_CASE("grouped heads equal heads that are repeated", "[ops]") {
  Rng rng(20);
  for (const std::size_t of_keys : {1U, 2U, 4U}) {
    const Tensor q = parameter(rng.normal_array({2, 5, 12})),
                 k = parameter(rng.normal_array({2, 6, 3 * of_keys})),
                 v = parameter(rng.normal_array({2, 6, 2 * of_keys}));
    const AttentionOptions repeated{.causal = true, .n_heads = 4};
    AttentionOptions grouped = repeated;
    grouped.n_kv_heads = of_keys;
    const Tensor a = scaled_dot_product_attention(q, k, v, grouped);
    const std::size_t times = 4 / of_keys;
    const Tensor b = scaled_dot_product_attention(q, repeat_heads(k, of_keys, times),
                                                  repeat_heads(v, of_keys, times), repeated);
    CHECK(difference(a.array(), b.array()) == 0);
    const Tensor u = randn(a.shape(), rng);
    const auto da = grad(a, {q, k, v}, {.cotangent = u}), db = grad(b, {q, k, v}, {.cotangent = u});
    for (std::size_t i = 0; i < 3; ++i) CHECK(difference(da[i].array(), db[i].array()) < kRounding);
  }
}

TEST_CASE("a sink takes its weight from the keys and gives nothing", "[ops]") {
  Inputs in;
  AttentionOptions options{.causal = true, .n_heads = 2};
  const Array without = scaled_dot_product_attention(in.q, in.k, in.v, options).array();
  options.sinks = tensor({-std::numeric_limits<Real>::infinity(), -1e30});
  CHECK(difference(scaled_dot_product_attention(in.q, in.k, in.v, options).array(), without) == 0);

  options.sinks = tensor({0, 1e30});  // the second head gives all its weight away
  const Tensor scores = reference::attention_scores(in.q, in.k, options);
  const Array totals = sum(reference::attention_pattern(scores, options), {-1}).array();  // (B,H,n)
  const Array out = scaled_dot_product_attention(in.q, in.k, in.v, options).array();
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(totals(0, 0, i) > 0);
    CHECK(totals(0, 0, i) < 1);
    CHECK(totals(0, 1, i) == 0);
    for (std::size_t c = 4; c < 8; ++c) CHECK(out(0, i, c) == 0);
  }
  // One score of 0 and a sink of 0 share the weight equally.
  const Tensor half =
      scaled_dot_product_attention(zeros({1, 1}), ones({1, 1}), tensor({{6}}), {.sinks = zeros({1})});
  CHECK(half.item() == 3);
}

TEST_CASE("a large cap changes nothing, and a small one bounds the scores", "[ops]") {
  Inputs in;
  AttentionOptions options{.n_heads = 2};
  const Array without = scaled_dot_product_attention(in.q, in.k, in.v, options).array();
  options.cap = 1e8;
  CHECK(difference(scaled_dot_product_attention(in.q, in.k, in.v, options).array(), without) <
        10 * kRounding);
  options.cap = 0.01;
  const Array scores = reference::attention_scores(in.q, in.k, options).array();
  for (const Real score : scores) CHECK(std::abs(score) <= Real(0.01));
}

TEST_CASE("dropout of the pattern keeps its mean, and none of it changes no bit", "[ops]") {
  Inputs in;
  AttentionOptions options{.causal = true, .n_heads = 2};
  const Array without = scaled_dot_product_attention(in.q, in.k, in.v, options).array();
  options.dropout_seed = 5;
  CHECK(difference(scaled_dot_product_attention(in.q, in.k, in.v, options).array(), without) == 0);
  options.dropout = 0.5;
  Array mean = full_array(without.shape(), 0);
  constexpr std::size_t kSeeds = 2000;
  for (options.dropout_seed = 0; options.dropout_seed < kSeeds; ++options.dropout_seed)
    mean += scaled_dot_product_attention(in.q, in.k, in.v, options).array() / Real(kSeeds);
  CHECK(difference(mean, without) < 0.2);  // a standard error is about 1/√2000 = 0.02
  CHECK(difference(mean, without) > 0);
}

TEST_CASE("the factors of dropout depend on each part of their place, and on nothing else", "[ops]") {
  using kernels::dropout_row;
  const auto row = [](kernels::PatternDropout dropout, std::size_t b, std::size_t h, std::size_t position) {
    std::vector<Real> factors(1000);
    dropout_row(dropout, b, h, position, 0, factors.size(), factors.data());
    return factors;
  };
  const auto base = row({0.25, 1}, 2, 3, 4);
  const auto differ = [&](const std::vector<Real>& other) {
    std::size_t places = 0;
    for (std::size_t j = 0; j < base.size(); ++j) places += base[j] != other[j];
    return places;
  };
  // Independent rows differ in 2·0.25·0.75 of the places.
  for (const auto& other : {row({0.25, 2}, 2, 3, 4), row({0.25, 1}, 3, 3, 4), row({0.25, 1}, 2, 4, 4),
                            row({0.25, 1}, 2, 3, 5), row({0.25, 1}, 3, 2, 4)}) {
    CHECK(differ(other) > 300);
    CHECK(differ(other) < 450);
  }
  std::size_t dropped = 0;
  for (const Real factor : base) {
    dropped += factor == 0;
    CHECK((factor == 0 || factor == Real(1 / 0.75)));
  }
  CHECK(dropped > 200);
  CHECK(dropped < 300);
  std::vector<Real> part(40);
  dropout_row({0.25, 1}, 2, 3, 4, 700, part.size(), part.data());
  for (std::size_t j = 0; j < part.size(); ++j) CHECK(part[j] == base[700 + j]);
}

TEST_CASE("a query alone at its position gives its row of the whole call", "[ops]") {
  Rng rng(23);
  const std::size_t n = 230;
  const Tensor q = Tensor(rng.normal_array({1, n, 6})), k = Tensor(rng.normal_array({1, n, 6})),
               v = Tensor(rng.normal_array({1, n, 4})), relative = Tensor(rng.normal_array({2, 9}));
  for (const bool window : {false, true}) {
    AttentionOptions options{.causal = true,
                             .relative = {relative, 0},
                             .n_heads = 2,
                             .sinks = zeros({2}),
                             .cap = 2,
                             .dropout = 0.3};
    if (window) options.window = 50;
    const Array whole = scaled_dot_product_attention(q, k, v, options).array();
    for (const std::size_t p : {0U, 1U, 63U, 64U, 100U, 229U}) {
      options.first_query = p;
      const int at = int(p);
      const Tensor alone = slice(q, 1, at, at + 1);
      const Array row = scaled_dot_product_attention(alone, k, v, options).array();
      // Only the keys so far exist while a text is generated.
      const Array early =
          scaled_dot_product_attention(alone, slice(k, 1, 0, at + 1), slice(v, 1, 0, at + 1), options)
              .array();
      for (std::size_t c = 0; c < 4; ++c) {
        CHECK(std::abs(row(0, 0, c) - whole(0, p, c)) <= (window ? kRounding : 0));
        CHECK(std::abs(early(0, 0, c) - whole(0, p, c)) <= (window ? kRounding : 0));
      }
    }
    const BoolArray visible = visible_keys(1, n, options);
    CHECK(visible(0, n - 1));
    CHECK(visible(0, n - 60) == !window);
  }
}

TEST_CASE("a row that gives all its weight to one key has no gradient of its scores, with dropout too",
          "[ops]") {
  Rng rng(31);
  for (const std::size_t n : {5U, 120U}) {  // one tile of keys, and two
    const Tensor k = Tensor(rng.normal_array({1, n, 8}, 0, 1)), v = Tensor(rng.normal_array({1, n, 8}));
    const Tensor q = parameter(Array(k.array() * Real(100000)));
    for (const double dropout : {0., 0.3}) {
      const Tensor z = scaled_dot_product_attention(q, k, v, {.dropout = dropout, .dropout_seed = 4});
      const Array weights = reference::attention_pattern(reference::attention_scores(q, k, {}), {}).array();
      const Array g = grad(sum(z * Tensor(rng.normal_array({1, n, 8}))), {q})[0].array();
      std::size_t saturated = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const Real* row = weights.data() + i * n;
        if (std::count(row, row + n, Real(1)) != 1 ||
            std::count(row, row + n, Real(0)) + 1 != std::ptrdiff_t(n))
          continue;
        ++saturated;
        for (std::size_t c = 0; c < 8; ++c) CHECK(g(0, i, c) == 0);
      }
      CHECK(saturated > n / 2);
    }
  }
}

TEST_CASE("smeared keys mix each key with the one before", "[ops]") {
  const Tensor k = tensor({{1, 10}, {3, 20}, {7, 40}}), alpha = tensor({0, 1000});
  const Array y = smear(reshape_to(k, {1, 3, 2}), alpha).array();
  const double wanted[3][2] = {{1, 10}, {2, 20}, {5, 40}};  // half of each; and the key alone
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t h = 0; h < 2; ++h) CHECK(y(0, t, h) == Real(wanted[t][h]));
  CHECK(contains(error_of([] {
                   smear(zeros({1, 2, 5}), zeros({2}));
                 }),
                 "[smear] a width of 5 cannot be divided among 2 heads"));
  CHECK(contains(error_of([] {
                   smear(zeros({2, 4}), zeros({2}));
                 }),
                 "[smear] expected k (B,n,H·d) and alpha (H), got (2,4) and (2)"));
}
