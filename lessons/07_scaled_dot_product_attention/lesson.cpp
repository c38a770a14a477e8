// Lesson 7: scaled dot-product attention: a soft lookup, its scale, its masks and its cost. First come the
// functions, in the order of the text, then what the program prints of them. The masks are in masks.h.
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "masks.h"
#include "pictures.h"
#include "rows.h"

using namespace headlight;
using namespace headlight::lesson;

// 1. Three keys and their values.
Tensor keys() { return tensor({{1, 1, 1, 1}, {1, 1, 1, -1}, {1, 1, -1, -1}}); }
Tensor values() { return tensor({{10, 0}, {0, 10}, {10, 10}}); }

// What a single query gives to each of the three keys.
Tensor weights_of(const Tensor& q) {
  const Tensor products = sum(q * keys(), {-1});
  return softmax(products / 2);
}

// What it reads there: the values times their weights, added up.
Tensor read(const Tensor& weights) { return sum(reshape(weights, {3, 1}) * values(), {0}); }

// 2. The three steps for all queries at once.
std::array<Tensor, 3> scores_pattern_output(const Tensor& Q, const Tensor& K, const Tensor& V) {
  const Tensor S = reference::attention_scores(Q, K);
  const Tensor P = reference::attention_pattern(S);
  const Tensor O = reference::attention_output(P, V);
  return {S, P, O};
}

// 4. The products of random queries with d numbers, each with `count` random keys of its own:
// (n_queries,count).
Tensor random_products(std::size_t n_queries, std::size_t count, std::size_t d, Rng& rng) {
  const Tensor q = randn({n_queries, 1, d}, rng), k = randn({n_queries, count, d}, rng);
  return sum(q * k, {-1});
}

// 5. What arrives at x when g is the cotangent of y.
Tensor vjp(const Tensor& y, const Tensor& x, const Tensor& g) { return grad(y, {x}, {.cotangent = g})[0]; }

// 400 rows of 16 scores with this standard deviation: how long the cotangent of the scores is when that of
// the weights has length 1.
std::vector<double> passed_on(double deviation) {
  Rng rng(11);
  const Tensor scores = parameter(randn({400, 16}, rng, deviation)), g = of_length_1(randn({400, 16}, rng));
  return lengths_of(vjp(softmax(scores), scores, g));
}

// The same for 400 queries: how long their cotangents are, when q·k is multiplied by this scale.
std::vector<double> at_the_query(std::size_t d_k, double scale) {
  Rng rng(12);
  const Tensor q = parameter(randn({400, 1, d_k}, rng)), k = randn({400, 16, d_k}, rng);
  const Tensor weights = softmax(scale * sum(q * k, {-1}));
  return lengths_of(vjp(weights, q, of_length_1(randn({400, 16}, rng))));
}

// 7. log x where x > 0, else 0. One drops what went wrong, the other does not let it happen.
Tensor dropped(const Tensor& x) { return where(greater(x, 0), log(x), 0); }
Tensor avoided(const Tensor& x) { return where(greater(x, 0), log(where(greater(x, 0), x, 1)), 0); }

Tensor by_the_book(const Tensor& scores) {
  const Tensor e = exp(scores - max(scores, {-1}, true));
  return e / sum(e, {-1}, true);
}

// 0 in the place of each NaN, which is the only number that is not equal to itself.
Tensor patched(const Tensor& x) { return where(equal(x, x), x, 0); }

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// Both hide all scores up to 9: one adds -∞, the other chooses it.
Tensor added(const Tensor& s) { return patched(by_the_book(s + where(greater(s, 9), 0, -kInfinity))); }
Tensor chosen(const Tensor& s) { return patched(by_the_book(where(greater(s, 9), s, -kInfinity))); }

// 8. How often the product of a (rows,inner) and an (inner,columns) matrix multiplies and adds.
std::size_t counted(std::size_t rows, std::size_t inner, std::size_t columns) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t c = 0; c < inner; ++c) ++count;
  return count;
}

// ---- What the program prints, section by section ----

bool same(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item() < 1e-12; }

void soft_lookup() {
  section("1. A soft lookup");
  const Tensor q = tensor({1, 1, 1, 1}), products = sum(q * keys(), {-1});
  say("The query {} and the three keys:", written(q, 0));
  say("  q·k          {}", written(products, 0));
  say("  score        {}", written(products / 2, 0));
  say("  weight       {}", written(weights_of(q)));
  say("  output       {}", written(read(weights_of(q))));
  say("\nThe query times a factor:");
  say("  factor   weights                    output");
  for (int factor : {0, 1, 3, 10}) {
    const Tensor weights = weights_of(q * factor);
    say("  {:>6}   {:<24}   {}", factor, written(weights), written(read(weights)));
  }
}

void all_at_once(const Pictures& pictures) {
  section("2. All queries at once");
  const Tensor Q = tensor({{1, 1, 1, 1}, {1, -1, 1, -1}}), K = keys(), V = values();
  const auto [S, P, O] = scores_pattern_output(Q, K, V);
  show_rows({{"scores", S, 0}, {"pattern", P, 4}, {"output", O, 4}});
  say("Does scaled_dot_product_attention(Q, K, V) give the same output? {}",
      yes(same(O, scaled_dot_product_attention(Q, K, V))));
  const auto reversed = [](const Tensor& x) {
    return concat({slice(x, 0, 2, 3), slice(x, 0, 1, 2), slice(x, 0, 0, 1)});
  };
  say("And with the keys and their values in reverse order? {}",
      yes(same(O, scaled_dot_product_attention(Q, reversed(K), reversed(V)))));
  pictures.write("shapes.svg", svg_shapes(Q, K, V, S, P, O));
}

void printed_table(const Pictures& pictures) {
  section("3. A table as you may find it printed");
  const Tensor products = tensor(
      {{20.5, 15.2, 8.3, 12.1}, {16.8, 22.3, 10.5, 14.2}, {9.2, 11.5, 19.8, 7.6}, {13.4, 15.1, 9.9, 21.2}});
  const Tensor printed = tensor({{0.48, 0.25, 0.10, 0.17},
                                 {0.18, 0.51, 0.10, 0.21},
                                 {0.12, 0.16, 0.62, 0.10},
                                 {0.16, 0.19, 0.10, 0.55}});
  show_rows({{"q·k", products, 1}, {"the pattern, as printed", printed}});
  say("\nThe two largest of each row:");
  say("  row   difference   the ratio must be   printed     ratio");
  const IntArray largest = {0, 1, 2, 3}, next = {1, 0, 1, 1};
  for (int i = 0; i < 4; ++i) {
    const Real difference = products.array()(i, largest(i)) - products.array()(i, next(i));
    const Real a = printed.array()(i, largest(i)), b = printed.array()(i, next(i));
    say("  {:>3}   {:>10.1f}   {:>17.2f}   {:.2f}/{:.2f}   {:>5.2f}", i + 1, difference,
        std::exp(difference / 8), a, b, a / b);
  }
  say("The sums of the printed rows: {}\n", written(sum(printed, {-1}), 2));
  const Tensor right = softmax(products / 8);
  show_rows({{"the pattern of these q·k", right, 3}});
  pictures.write("printed_table.svg", svg_printed_table(products, printed, right));
}

void variance(const Pictures& pictures) {
  section("4. Why 1/√d_k");
  Rng rng(7);
  std::vector<double> variances;
  say("         variance of           largest of 16 weights, softmax of");
  say("   d_k     q·k   q·k/√d_k        q·k   q·k/√d_k   q·k/d_k");
  for (int d = 1; d <= 512; d *= 2) {
    const auto d_k = static_cast<std::size_t>(d);
    const double measured = var(random_products(4000, 1, d_k, rng)).item();
    variances.push_back(measured);
    const Tensor products = random_products(200, 16, d_k, rng);
    const auto largest = [&](double by) { return mean(max(softmax(products / by), {-1})).item(); };
    say("  {:>4}   {:>5.1f}   {:>8.2f}   {:>8.2f}   {:>8.2f}   {:>7.2f}", d, measured, measured / d,
        largest(1), largest(std::sqrt(d)), largest(d));
  }
  pictures.write("variance.svg", svg_variance(variances));
}

void saturated(const Pictures& pictures) {
  section("5. A saturated softmax");
  say("Two keys with the scores s and 0, and how fast the first weight p moves with s:");
  say("     s   p          slope     p (1 - p)");
  for (int s : {0, 2, 5, 10, 20}) {
    const Tensor scores = parameter(tensor({s, 0})), p = softmax(scores);
    const Real slope = vjp(p, scores, tensor({1, 0})).array()(0), first = p.array()(0);
    say("  {:>4}   {:.6f}   {:.1e}   {:.1e}", s, first, slope, first * p.array()(1));
  }
  say("\nOf a cotangent of length 1 softmax lets pass (400 rows of 16 scores):");
  say("  deviation of the scores   median    largest");
  for (double deviation : {0.1, 1.0, 3.0, 10.0, 22.6}) {
    const std::vector<double> passed = passed_on(deviation);
    say("  {:>23}   {:.1e}   {:>7.2f}", deviation, passed[200], passed[399]);
  }
  pictures.write("saturated.svg", svg_saturated(passed_on));

  say("\nAnd what arrives at 400 queries, with 1/√d_k and without:");
  say("         a tenth is below       median                largest");
  say("   d_k   {:>7}   {:>7}    {:>7}   {:>7}     {}   {}", "with", "without", "with", "without", "with",
      "without");
  for (std::size_t d_k : {16, 64, 256, 512}) {
    const auto with_scale = at_the_query(d_k, 1 / std::sqrt(d_k)), plain = at_the_query(d_k, 1);
    say("  {:>4}   {:.1e}   {:.1e}    {:.1e}   {:.1e}     {:.2f}   {:>7.2f}", d_k, with_scale[40], plain[40],
        with_scale[200], plain[200], with_scale[399], plain[399]);
  }
}

void masks(const Pictures& pictures) {
  section("6. Masks");
  const Tensor M = as_numbers(causal(4, 4)), scores = zeros({4, 4});
  const Tensor before = pattern_of(zeros({4, 1}), ones({4, 1}), causal(4, 4)), after = softmax(scores) * M;
  say("Four tokens, all scores 0:");
  show_rows({{"causal mask", M, 0}, {"masked before softmax", before}, {"masked after it", after}});
  say("The sums of the rows: {} and {}", written(sum(before, {-1}), 2), written(sum(after, {-1}), 2));

  say("\nThe queries of the last 2 of 4 positions:");
  show_rows({{"right", as_numbers(causal(2, 4)), 0},
             {"wrong corner", as_numbers(visible_keys(2, 4, {.causal = true})), 0}});

  Rng rng(3);
  const Tensor Q = randn({8, 16}, rng), K = randn({8, 16}, rng), V = randn({8, 2}, rng);
  const BoolArray future = causal(8, 8), padding = tokens_only(8, 8, 3);
  const Tensor of_all_8 = matmul(pattern_of(Q, K, future), V);
  say("\nIs attention of the last 2 of 8 queries the end of that of all 8? {}",
      yes(same(matmul(pattern_of(slice(Q, 0, 6, 8), K, causal(2, 8)), V), slice(of_all_8, 0, 6, 8))));
  const Tensor four = tensor({{1}, {2}, {3}, {4}}), grown = tensor({{1}, {2}, {3}, {104}});
  say("Of four tokens with scores of 0 the last value grows by 100. How far the outputs move:");
  for (const auto& [name, pattern] : {std::pair{"no mask", softmax(scores)}, std::pair{"causal", before}})
    say("  {:<8} {}", name, written(matmul(pattern, grown) - matmul(pattern, four), 0));

  pictures.write("masks.svg", svg_masks(Q, K, future, padding));
}

void nowhere() {
  section("7. Fully masked rows");
  const BoolArray visible = both(causal(3, 3), tokens_only(3, 3, 1));
  const Tensor scores = tensor({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}),
               hidden = masked_fill(scores, !visible, -kInfinity);
  say("Three positions, the first is padding; each query has the scores [1, 2, 3]:");
  show_rows({{"mask", as_numbers(visible), 0},
             {"by the book", by_the_book(hidden)},
             {"with -1e9", by_the_book(masked_fill(scores, !visible, -1e9))},
             {"Headlight", softmax(hidden)}});
  say("\nThe result, and the gradient of its sum:");
  for (const auto& [name, f, x] : {std::tuple{"log, dropped", &dropped, tensor({2, 0})},
                                   std::tuple{"log, avoided", &avoided, tensor({2, 0})},
                                   std::tuple{"-∞, added   ", &added, tensor({1, 2})},
                                   std::tuple{"-∞, chosen  ", &chosen, tensor({1, 2})}}) {
    const Tensor input = parameter(x), y = f(input);
    say("  {}   x = {}   {:<16}   {}", name, written(x, 0), written(y), written(vjp(y, input, ones({2}))));
  }
}

void cost() {
  section("8. Cost");
  say("The example: {} multiply-adds for the scores, {} for the outputs.", counted(2, 4, 3),
      counted(2, 3, 2));
  say("\nn = m, d_k = d_v = 64:");
  say("     n   multiply-adds   numbers in Q, K and V   in the pattern");
  for (std::size_t n : {64, 128, 256, 512, 1024})
    say("  {:>4}   {:>13}   {:>21}   {:>14}", n, counted(n, 64, n) + counted(n, n, 64), 3 * n * 64, n * n);
}

int main(int argc, char** argv) {
  return run(argc, argv, "07_scaled_dot_product_attention", [](const Pictures& pictures) {
    say("Lesson 7: scaled dot-product attention");
    soft_lookup();
    all_at_once(pictures);
    printed_table(pictures);
    variance(pictures);
    saturated(pictures);
    masks(pictures);
    nowhere();
    cost();
  });
}
