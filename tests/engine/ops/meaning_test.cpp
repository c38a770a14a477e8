// What single ops promise beyond their derivatives.
#include <limits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "headlight/system/files.h"

using namespace headlight;

namespace {

constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

}  // namespace

TEST_CASE("softmax rows sum to one", "[ops]") {
  Rng rng(1);
  const Tensor y = softmax(randn({7, 33}, rng, 10));
  for (Real total : sum(y, {1}).array()) CHECK(total == Approx(1));
}

TEST_CASE("softmax of a fully masked row is zeros, and so is its gradient", "[ops]") {
  const Tensor x = parameter(tensor({{-kInfinite, -kInfinite}, {1, -kInfinite}}));
  const Tensor y = softmax(x);
  CHECK(difference(y.array(), tensor({{0, 0}, {1, 0}}).array()) == 0);
  sum(y * tensor({{1, 2}, {3, 4}})).backward();
  CHECK(all_finite(x.grad().array()));
}

TEST_CASE("a query that sees no key gives zeros and poisons nobody", "[ops]") {
  Rng rng(2);
  const Tensor q = parameter(rng.normal_array({2, 3, 4})), k = parameter(rng.normal_array({2, 5, 4})),
               v = parameter(rng.normal_array({2, 5, 4}));
  BoolArray visible({2, 3, 5}, true);
  for (std::size_t j = 0; j < 5; ++j) visible(1, 0, j) = false;
  const Tensor z = scaled_dot_product_attention(q, k, v, {.mask = visible});
  for (std::size_t j = 0; j < 4; ++j) CHECK(z.array()(1, 0, j) == 0);
  CHECK(z.array()(0, 0, 0) != 0);
  sum(z * z).backward();
  for (const Tensor& x : {q, k, v}) CHECK(all_finite(x.grad().array()));
  for (std::size_t j = 0; j < 4; ++j) CHECK(q.grad().array()(1, 0, j) == 0);
}

TEST_CASE("a bias of -∞ masks as a boolean mask does", "[ops]") {
  Rng rng(3);
  const Tensor q = randn({3, 2}, rng), k = randn({4, 2}, rng), v = randn({4, 2}, rng);
  const Tensor bias = tensor({0, -kInfinite, 0, 0});
  const auto by_bias = scaled_dot_product_attention(q, k, v, {.bias = bias});
  const auto by_mask = scaled_dot_product_attention(q, k, v, {.mask = BoolArray{true, false, true, true}});
  CHECK(difference(by_bias.array(), by_mask.array()) < kRounding);
}

TEST_CASE("causal attention does not see the future, over several blocks of queries", "[ops]") {
  Rng rng(4);
  const std::size_t n = 150;
  const Tensor q = randn({1, n, 4}, rng), k = randn({1, n, 4}, rng), v = randn({1, n, 4}, rng);
  const AttentionOptions causal{.causal = true, .n_heads = 2};
  const Tensor y = scaled_dot_product_attention(q, k, v, causal);
  CHECK(difference(y.array(), reference::scaled_dot_product_attention(q, k, v, causal).array()) < kRounding);
  Array changed = v.array();
  for (std::size_t j = 0; j < 4; ++j) changed(0, 100, j) += 5;
  const Tensor z = scaled_dot_product_attention(q, k, Tensor(changed), causal);
  CHECK(difference(slice(y, 1, 0, 100).array(), slice(z, 1, 0, 100).array()) == 0);
  CHECK(difference(slice(y, 1, 100).array(), slice(z, 1, 100).array()) > 0);

  const Tensor Q = parameter(q.array()), K = parameter(k.array()), V = parameter(v.array());
  const Tensor u = randn({1, n, 4}, rng);
  const auto fused = grad(scaled_dot_product_attention(Q, K, V, causal), {Q, K, V}, {.cotangent = u});
  const auto composed =
      grad(reference::scaled_dot_product_attention(Q, K, V, causal), {Q, K, V}, {.cotangent = u});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(difference(fused[i].array(), composed[i].array()) < 10 * kRounding);
}

TEST_CASE("keys and values collect their gradients from several blocks of queries", "[ops]") {
  Rng rng(7);
  const Tensor q = parameter(randn({150, 4}, rng)), k = parameter(randn({150, 4}, rng)),
               v = parameter(randn({150, 3}, rng)), weights = randn({150, 3}, rng);
  for (bool causal : {false, true}) {
    const AttentionOptions options{.causal = causal};
    const auto fused = grad(sum(scaled_dot_product_attention(q, k, v, options) * weights), {q, k, v});
    const auto plain =
        grad(sum(reference::scaled_dot_product_attention(q, k, v, options) * weights), {q, k, v});
    for (std::size_t i = 0; i < 3; ++i) CHECK(difference(fused[i].array(), plain[i].array()) < kRounding);
  }
}

TEST_CASE("attention of a tensor to itself counts each of its three cotangents once", "[ops]") {
  Rng rng(8);
  const Tensor x = parameter(randn({5, 4}, rng)), weights = randn({5, 4}, rng);
  const Tensor loss = sum(scaled_dot_product_attention(x, x, x) * weights);
  const Tensor fused = grad(loss, {x}, {.retain_graph = true})[0];
  const Tensor through_reference = grad(loss, {x}, {.create_graph = true})[0];
  CHECK(difference(fused.array(), through_reference.array()) < kRounding);
}

TEST_CASE("heads side by side equal heads on an axis of their own", "[ops]") {
  Rng rng(5);
  const Tensor q = randn({2, 3, 6}, rng), k = randn({2, 4, 6}, rng), v = randn({2, 4, 9}, rng);
  const auto split = [](const Tensor& x) {
    return permute(reshape(x, {2, static_cast<int>(x.length(1)), 3, -1}), {0, 2, 1, 3});
  };
  const Tensor packed = scaled_dot_product_attention(q, k, v, {.n_heads = 3});
  const Tensor apart = scaled_dot_product_attention(split(q), split(k), split(v));
  CHECK(difference(packed.array(), reshape(permute(apart, {0, 2, 1, 3}), {2, 3, 9}).array()) < kRounding);
}

TEST_CASE("rotary positions make q·k depend on the distance alone", "[ops]") {
  Rng rng(6);
  const RotaryTable table = rotary_table(12, 4);
  const Tensor one_q = randn({1, 1, 4}, rng), one_k = randn({1, 1, 4}, rng);
  const Tensor q = rotary(broadcast_to(one_q, {1, 12, 4}), table),
               k = rotary(broadcast_to(one_k, {1, 12, 4}), table);
  const Array scores = matmul(q, k, {.transpose_y = true}).array();
  for (std::size_t i = 1; i < 12; ++i)
    for (std::size_t j = 1; j < 12; ++j)
      CHECK(scores(0, i, j) == Approx(scores(0, i - 1, j - 1)).margin(1e-5));
  CHECK(std::abs(scores(0, 5, 5) - scores(0, 5, 4)) > 1e-3);
  CHECK(difference(rotary(rotary(q, table), table, true).array(), q.array()) < kRounding);
}

TEST_CASE("cross-entropy of equal logits is log V, and ignored targets count nothing", "[ops]") {
  const IntArray targets{{1, 0, -100}};
  CHECK(cross_entropy(zeros({1, 3, 8}), targets).item() == Approx(std::log(8.0)));
  CHECK(cross_entropy(zeros({1, 3, 8}), targets, {.reduction = Reduction::sum}).item() ==
        Approx(2 * std::log(8.0)));
  const Tensor none = cross_entropy(zeros({1, 3, 8}), targets, {.reduction = Reduction::none});
  CHECK(none.array()(0, 2) == 0);
  const Tensor x = parameter(zeros({1, 3, 8}));
  cross_entropy(x, targets).backward();
  for (std::size_t j = 0; j < 8; ++j) CHECK(x.grad().array()(0, 2, j) == 0);
  CHECK(x.grad().array()(0, 0, 1) == Approx((1.0 / 8 - 1) / 2));
}

TEST_CASE("logits of ten thousand overflow nowhere", "[ops]") {
  const Tensor logits = parameter(tensor({{10000, 0, -10000}}));
  const IntArray targets{1};
  CHECK((log_softmax(logits).array() == tensor({{0, -10000, -20000}}).array()));
  const Tensor loss = cross_entropy(logits, targets);
  CHECK(loss.item() == 10000);
  CHECK((grad(loss, {logits})[0].array() == tensor({{1, -1, 0}}).array()));
}

TEST_CASE("dropout keeps the mean and the rest exactly", "[ops]") {
  Rng rng(7);
  const Tensor y = dropout(ones({100, 100}), 0.25, rng);
  CHECK(mean(y).item() == Approx(1).margin(0.03));
  for (Real value : y.array()) CHECK((value == 0 || value == Approx(4.0 / 3)));
  CHECK(same_node(dropout(y, 0, rng), y));
}

TEST_CASE("equal largest elements share the gradient", "[ops]") {
  const Tensor x = parameter(tensor({2, 5, 5, 1}));
  max(x).backward();
  CHECK(difference(x.grad().array(), tensor({0, 0.5, 0.5, 0}).array()) == 0);
  const Tensor a = parameter(Tensor(1.0)), b = parameter(Tensor(1.0));
  maximum(a, b).backward();
  CHECK(a.grad().item() == Real(0.5));
}

TEST_CASE("a slice in steps takes what it lands on before the stop", "[ops]") {
  CHECK((slice(arange(5), 0, 0, 5, 2).array() == tensor({0, 2, 4}).array()));
  CHECK((slice(arange(5), 0, 0, 4, 2).array() == tensor({0, 2}).array()));
  CHECK((slice(arange(5), 0, 1, 5, 3).array() == tensor({1, 4}).array()));
}

TEST_CASE("the gradient of a sum over an axis goes along that axis, in a square too", "[ops]") {
  const Tensor x = parameter(ones({2, 2})), weights = tensor({3, 5});
  CHECK((grad(sum(sum(x, {1}) * weights), {x})[0].array() == tensor({{3, 3}, {5, 5}}).array()));
  CHECK((grad(sum(sum(x, {0}) * weights), {x})[0].array() == tensor({{3, 5}, {3, 5}}).array()));
}

TEST_CASE("relu lets nothing through at zero", "[ops]") {
  const Tensor x = parameter(tensor({-1, 0, 2}));
  CHECK((grad(sum(relu(x)), {x})[0].array() == tensor({0, 0, 1}).array()));
}

TEST_CASE("powers of zero have finite gradients", "[ops]") {
  const Tensor x = parameter(tensor({0, 2})), y = parameter(tensor({2, 2}));
  sum(pow(x, y)).backward();
  CHECK(difference(x.grad().array(), tensor({0, 4}).array()) < kRounding);
  CHECK(y.grad().array()(0) == 0);
  const Tensor zero = parameter(Tensor(0.0));
  CHECK(grad(pow(zero, 0), {zero})[0].item() == 0);
  const Tensor slope = grad(pow(zero, 1), {zero}, {.create_graph = true})[0];
  CHECK(slope.item() == 1);
  CHECK(grad(slope, {zero}, {.allow_unused = true})[0].item() == 0);
}

TEST_CASE("variance with and without correction", "[ops]") {
  const Tensor x = tensor({1, 2, 3, 4});
  CHECK(var(x).item() == Approx(1.25));
  CHECK(var(x, {}, false, 1).item() == Approx(5.0 / 3));
}

TEST_CASE("where with scalars is Headlight's, not xtensor's", "[ops]") {
  const Tensor x = tensor({-1, 2});
  CHECK(difference(where(greater(x, 0), x, 0).array(), relu(x).array()) == 0);
}

TEST_CASE("the mean squared error by hand", "[ops]") {
  CHECK(mean_squared_error(tensor({{1}, {4}}), tensor({{3}, {5}})).item() == 2.5);
}

TEST_CASE("the guide's first example prints what the guide says", "[ops]") {
  const Tensor x = parameter(tensor({{1, 2}, {3, 4}}));
  const Tensor w = parameter(tensor({{0.5}, {-1}}));
  const Tensor loss = mean(tanh(matmul(x, w)));
  loss.backward();
  const std::string guide = read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/docs/library.md");
  CHECK(contains(guide, "const hl::Tensor loss = mean(tanh(matmul(x, w)));"));
  CHECK(contains(guide, "```\n" + to_string(loss) + "\n" + to_string(w.grad()) + "\n```"));
}

TEST_CASE("an ignored position counts nothing, whatever its logits", "[ops]") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Tensor x = parameter(tensor({{1, 2}, {-kInfinite, -kInfinite}, {nan, 0}}));
  const IntArray targets{0, -100, -100};
  for (bool fused : {true, false}) {
    const Tensor loss = fused ? cross_entropy(x, targets) : reference::cross_entropy(x, targets);
    CHECK(loss.item() == Approx(std::log(1 + std::exp(1.0))));
    const Tensor first = slice(grad(loss, {x})[0], 0, 1);
    for (Real g : first.array()) CHECK(g == 0);
  }
}

TEST_CASE("long sums along any axis stay accurate", "[ops]") {
  CHECK(sum(ones({20000000, 2}), {0}).array()(1) == 20000000);
}

TEST_CASE("products over an empty axis are zeros", "[ops]") {
  CHECK(difference(linear(zeros({3, 0}), zeros({0, 5})).array(), zeros({3, 5}).array()) == 0);
  CHECK(linear(zeros({3, 4}), zeros({4, 0})).shape() == Shape{3, 0});
  CHECK(difference(matmul(zeros({3, 0}), zeros({0, 5})).array(), zeros({3, 5}).array()) == 0);
}
