// Errors name the op, what was given, and a way out.
#include <functional>
#include <limits>
#include <type_traits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("shapes that do not fit are named", "[ops]") {
  const Tensor a = zeros({2, 3}), b = zeros({4, 5});
  CHECK(error_of([&] { a + b; }) ==
        "[add] shapes (2,3) and (4,5) do not broadcast: lengths 2 and 4 meet at axis 0. Lengths "
        "must be equal, or one of them 1.");
  CHECK(error_of([&] { matmul(a, b); }) ==
        "[matmul] inner dimensions differ: (2,3) x (4,5). Check the order of the factors.");
  CHECK(error_of([&] {
          matmul(a, zeros({4, 3}));
        }) == "[matmul] inner dimensions differ: (2,3) x (4,3). Did you mean transpose(y)?");
  CHECK(error_of([&] {
          matmul(a, zeros({2, 5}));
        }) == "[matmul] inner dimensions differ: (2,3) x (2,5). Did you mean transpose(x)?");
  CHECK(contains(error_of([&] { matmul(a, Tensor(1.0)); }),
                 "[matmul] expected vectors or matrices, got (2,3) x ()"));
  CHECK(error_of([&] { matmul(a, zeros({2})); }) ==
        "[matmul] inner dimensions differ: (2,3) x (2). Hint: a vector is a row on the left and a "
        "column on the right.");
  CHECK(contains(error_of([&] { matmul(zeros({3}), a); }), "inner dimensions differ: (3) x (2,3). Hint"));
  CHECK(error_of([&] { linear(a, b); }) ==
        "[linear] expected x (…,in) and W (in,out), got (2,3) and (4,5). Hint: the last axis of x "
        "has length 3, W takes 4.");
  CHECK(contains(error_of([&] {
                   linear(a, zeros({3, 5}), zeros({4}));
                 }),
                 "expected a bias of shape (5), got (4)"));
  CHECK(error_of([&] {
          mean_squared_error(zeros({3, 1}), zeros({3}));
        }) == "[mean_squared_error] expected equal shapes, got (3,1) and (3). Hint: reshape() one of them.");
  CHECK(contains(error_of([&] { layer_norm(a, zeros({2})); }), "expected w and b of shape (3), got (2)"));
  CHECK(contains(error_of([&] { reshape(a, {4, -1}); }), "6 elements of shape (2,3) cannot be divided by 4"));
  CHECK(contains(error_of([&] { reshape(a, {-1, -1}); }), "only one length may be -1"));
  CHECK(contains(error_of([&] { concat({a, b}); }), "differ in more than axis 0"));
  CHECK(contains(error_of([&] { stack({a, b}); }), "[stack] shapes differ"));
  CHECK(contains(error_of([&] { permute(a, {0, 0}); }), "named exactly once"));
  CHECK(contains(error_of([&] { transpose(zeros({3})); }), "at least two axes"));
  CHECK(contains(error_of([&] { sum(a, {2}); }), "[sum] axis 2 is out of range for an array of 2 axes"));
  CHECK(contains(error_of([&] { slice(a, 0, 0, 1, 0); }), "step of at least 1"));
  CHECK(contains(error_of([&] {
                   add_rows(zeros({8, 3}), IntArray{{0, 1, 2, 0}, {1, 1, 1, 1}}, 3);
                 }),
                 "[add_rows] expected rows (…,d) and indices (…), got (8,3) and (2,4)"));
  CHECK(contains(error_of([&] { add_rows(Tensor(1.0), IntArray{0}, 3); }), "got () and (1)"));
  CHECK(contains(error_of([&] { embedding(Tensor(1.0), IntArray{0}); }),
                 "expected a table (V,d), got shape ()"));
  CHECK(contains(error_of([&] { embedding(zeros({3}), IntArray{0}); }),
                 "expected a table (V,d), got shape (3)"));
  CHECK(contains(error_of([&] { broadcast_to(a, {3, 3}); }), "(2,3) does not broadcast to (3,3)"));
}

TEST_CASE("a message names the op that was called, not one that it is made of", "[ops]") {
  const Tensor a = zeros({2, 3}), b = zeros({4, 5}), scalar = 1.0;
  const std::vector<std::pair<std::string, std::function<void()>>> refused{
      {"minimum", [&] { minimum(a, b); }},
      {"maximum", [&] { maximum(a, b); }},
      {"swiglu", [&] { swiglu(a, b); }},
      {"greater", [&] { greater(a, b); }},
      {"norm", [&] { norm(a, 2); }},
      {"var", [&] { var(a, 2); }},
      {"stddev", [&] { stddev(a, 2); }},
      {"stddev", [&] { stddev(a, 0, false, 2); }},
      {"mean", [&] { mean(a, 2); }},
      {"centered", [&] { centered(a, 2); }},
      {"prod", [&] { prod(a, 2); }},
      {"min", [&] { min(a, 2); }},
      {"max", [&] { max(a, 2); }},
      {"logsumexp", [&] { logsumexp(a, 2); }},
      {"cumsum", [&] { cumsum(a, 2); }},
      {"sort", [&] { sort(a, 2); }},
      {"argsort", [&] { argsort(a, 2); }},
      {"topk", [&] { topk(a, 1, 2); }},
      {"argmin", [&] { argmin(a, 2); }},
      {"softmax", [&] { softmax(a, 2); }},
      {"log_softmax", [&] { log_softmax(a, 2); }},
      {"add_rows",
       [&] {
         add_rows(a, IntArray{0, 9}, 3);
       }},
      {"embedding",
       [&] {
         embedding(a, IntArray{0, 9});
       }},
      {"roll", [&] { roll(a, 1, 2); }},
      {"flip", [&] { flip(a, 2); }},
      {"stack",
       [&] {
         stack({a, a}, 4);
       }},
      {"split", [&] { split(a, std::size_t{1}, 2); }},
      {"squeeze", [&] { squeeze(a, 2); }},
      {"unsqueeze", [&] { unsqueeze(a, 4); }},
      {"outer", [&] { outer(a, b); }},
      {"pad", [&] { pad(a, 2, 1, 1); }},
      {"repeat_interleave", [&] { repeat_interleave(a, 2, 2); }},
      {"huber_loss", [&] { huber_loss(a, b); }}};
  for (const auto& [op, call] : refused) {
    const std::string message = error_of(call);
    INFO(op << ": " << message);
    CHECK(message.starts_with("[" + op + "] "));
  }
  CHECK(error_of([&] { softmax(scalar); }) ==
        "[softmax] a scalar has no axes, got axis -1. Hint: flatten() makes a vector of one number.");
}

// max(x, 0.5) was the maximum over axis 0.
static_assert(!std::is_convertible_v<double, Axes> && !std::is_convertible_v<float, Axes>);
static_assert(!std::is_convertible_v<bool, Axes> && std::is_convertible_v<int, Axes>);

TEST_CASE("values that make no sense are named", "[ops]") {
  const Tensor x = zeros({2, 3});
  Rng rng(1);
  CHECK(contains(error_of([&] { dropout(x, 1, rng); }), "probability in [0, 1), got 1"));
  CHECK(contains(error_of([&] { mean(zeros({0})); }), "the mean over no numbers"));
  CHECK(contains(error_of([&] { max(zeros({2, 0}), {1}); }), "the maximum over no numbers"));
  CHECK(
      contains(error_of([&] { var(zeros({1}), {}, false, 1); }), "1 numbers are too few with correction 1"));
  CHECK(contains(error_of([&] { embedding(x, IntArray{0, 2}); }), "[embedding] index 2 is outside 0 … 1"));
  CHECK(contains(error_of([&] {
                   gather(x, IntArray{{0, 3}, {0, 0}}, 1);
                 }),
                 "[gather] index 3 is outside 0 … 2"));
  CHECK(contains(error_of([&] {
                   cross_entropy(x, IntArray{0, 3});
                 }),
                 "target 3 is neither in 0 … 2 nor the ignore_index"));
  CHECK(contains(error_of([&] { cross_entropy(x, IntArray{-100, -100}); }), "the mean over no positions"));
  CHECK(contains(error_of([&] { cross_entropy(x, IntArray{0}); }),
                 "expected logits (…,V) and targets (…), got (2,3) and (1)"));
}

TEST_CASE("attention explains what does not fit", "[ops]") {
  const Tensor q = zeros({2, 3, 4}), k = zeros({2, 5, 4}), v = zeros({2, 5, 6});
  const auto message = [](auto&&... arguments) {
    return error_of([&] { scaled_dot_product_attention(arguments...); });
  };
  CHECK(contains(message(q, zeros({2, 5, 3}), v), "q and k must have equal width, got (2,3,4) and (2,5,3)"));
  CHECK(contains(message(q, k, zeros({2, 4, 6})), "one value for each key, got k (2,5,4) and v (2,4,6)"));
  CHECK(contains(message(q, zeros({3, 5, 4}), v), "must agree in the axes before the last two"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_heads = 3}),
                 "widths 4 and 6 cannot be divided among 3 heads"));
  CHECK(contains(message(q, k, v, AttentionOptions{.mask = BoolArray({7}, true)}),
                 "a mask of shape (7) does not broadcast"));
  CHECK(contains(message(q, k, v, AttentionOptions{.bias = zeros({7})}),
                 "a bias of shape (7) does not broadcast"));
  CHECK(contains(message(q, k, v, AttentionOptions{.relative = {zeros({2, 7})}}),
                 "expected a relative bias (1 heads or 1, distances), got shape (2,7)"));
  CHECK(contains(message(q, k, v, AttentionOptions{.relative = {zeros({1, 0})}}), "got shape (1,0)"));
  for (const int first : {std::numeric_limits<int>::min(), -(1 << 30), 1 << 30})
    CHECK(contains(message(q, k, v, AttentionOptions{.relative = {zeros({1, 3}), first}}),
                   "expected a relative.first between -2^30 and 2^30, got " + std::to_string(first)));
  CHECK(contains(message(q, k, v, AttentionOptions{.causal = true, .first_query = std::size_t{1} << 32}),
                 "expected positions below 2^30, got 3 queries from 4294967296"));
  CHECK(contains(message(q, k, v, AttentionOptions{.window = 0}), "expected a window of at least 1, got 0"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_heads = 0}), "expected at least one head"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_kv_heads = 1}), "n_kv_heads = 1 needs n_heads"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_heads = 2, .n_kv_heads = 3}),
                 "expected an n_kv_heads that divides n_heads = 2, got 3"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_heads = 2, .n_kv_heads = 0}), "got 0"));
  CHECK(contains(message(q, k, v, AttentionOptions{.n_heads = 2, .n_kv_heads = 1}),
                 "q and k must have equal width, got (2,3,4) and (2,5,4), for 2 and 1 heads"));
  CHECK(contains(message(q, k, v, AttentionOptions{.sinks = zeros({2})}),
                 "expected a sink for each of the 1 heads, shape (1), got (2)"));
  CHECK(contains(message(q, k, v, AttentionOptions{.cap = -1}), "or 0 for none, got -1"));
  CHECK(contains(message(q, k, v, AttentionOptions{.dropout = 1}),
                 "expected a probability of dropout in [0, 1), got 1"));
  CHECK(contains(message(zeros({4}), zeros({4}), zeros({4})), "got (4), (4) and (4)"));
  CHECK(contains(error_of([] { rotary_table(3, 5); }), "expected an even d_head, got 5"));
  CHECK(contains(error_of([] {
                   rotary(zeros({1, 4, 4}), rotary_table(3, 4));
                 }),
                 "4 positions, but the table has only 3"));
}

TEST_CASE("attention refuses a cap that its numbers cannot hold", "[ops]") {
  const double too_small = kDouble ? 1e-320 : 1e-300, large = kDouble ? 1e300 : 1e30;
  const Tensor x = ones({3, 4});
  for (const double cap : {too_small, double(HUGE_VAL), double(NAN)})
    CHECK(contains(error_of([&] { scaled_dot_product_attention(x, x, x, {.cap = cap}); }),
                   "or 0 for none, got"));
  if (!kDouble) CHECK_FALSE(is_score_cap(1e39));
  CHECK(is_score_cap(large));
}

TEST_CASE("the steps of attention refuse the options that the whole refuses", "[ops]") {
  const auto message = [](const Shape& pattern, const Shape& v, const AttentionOptions& options) {
    return error_of([&] { reference::attention_output(ones(pattern), ones(v), options); });
  };
  CHECK(contains(message({1, 2, 2}, {1, 2, 2}, {.n_heads = 0}), "expected at least one head"));
  CHECK(contains(message({1, 2, 3, 3}, {1, 3, 4}, {.n_heads = 2, .n_kv_heads = 0}), "got 0"));
  CHECK(contains(message({2, 2}, {2, 2}, {.dropout = 5}), "a probability of dropout in [0, 1), got 5"));
  CHECK(contains(message({3}, {3, 3}, {.dropout = 0.5}),
                 "expected a pattern and v (…,n,m) and (…,m,d), got (3) and (3,3)"));
  for (const auto& [pattern, v] : {std::pair{Shape{1, 3, 5, 5}, Shape{1, 5, 4}},  // 3 heads, not 2
                                   {Shape{1, 2, 5, 5}, Shape{1, 5, 3}},           // no width for 2 heads
                                   {Shape{1, 2, 5, 5}, Shape{1, 4, 4}},
                                   {Shape{2, 2, 5, 5}, Shape{1, 5, 4}},
                                   {Shape{2, 5, 5}, Shape{2, 5, 4}}})
    CHECK(contains(message(pattern, v, {.n_heads = 2}), "expected a pattern and v (B,H,n,m) and (B,m,H·d)"));
}

TEST_CASE("rotary refuses a table that does not fit", "[ops]") {
  const auto message = [](const Tensor& cos, const Tensor& sin) {
    return error_of([&] { rotary(ones({1, 2, 4}), {cos, sin}); });
  };
  const char* expected = "expected a table of cos and sin, both (positions, d_head/2), got ";
  CHECK(contains(message(zeros({5}), zeros({5})), std::string(expected) + "(5) and (5)"));
  CHECK(contains(message(zeros({5, 0}), zeros({5, 0})), std::string(expected) + "(5,0) and (5,0)"));
  CHECK(contains(message(zeros({2, 2}), zeros({1, 1})), std::string(expected) + "(2,2) and (1,1)"));
  CHECK(contains(message(parameter(ones({2, 2})), ones({2, 2})), "got a parameter"));
}

TEST_CASE("a table of rotary positions must not change before the backward pass", "[ops]") {
  const Tensor x = parameter(ones({1, 2, 2}));
  for (Tensor RotaryTable::*part : {&RotaryTable::cos, &RotaryTable::sin}) {
    RotaryTable table = rotary_table(2, 2);
    const Tensor y = sum(rotary(x, table));
    (table.*part).mutable_array() *= 5;
    CHECK(contains(error_of([&] { grad(y, {x}); }), "was changed after 'rotary' was computed from it"));
  }
}

TEST_CASE("shapes of empty tensors are exact, and lengths that overflow are refused", "[ops]") {
  constexpr std::size_t kMany = std::size_t{1} << 40;
  CHECK(matmul(zeros({0, kMany, 5}), zeros({5})).shape() == Shape{0, kMany});
  const int half = 1 << 30;
  CHECK(contains(error_of([&] {
                   reshape(zeros({0}), {half, half, half, half, -1});
                 }),
                 "more elements than can be counted"));
}
