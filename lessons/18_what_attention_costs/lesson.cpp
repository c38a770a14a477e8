// Lesson 18: what attention costs, counted and measured, and attention in blocks.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "exact.h"
#include "headlight/core/math.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "measured.h"
#include "pictures.h"

using namespace headlight;
using namespace headlight::lesson;

// Of self-attention of n tokens of width d: the products with the four matrices, and those of pairs of
// tokens.
double projections(double n, double d) { return 4 * n * d * d; }
double pairs(double n, double d) { return 2 * n * n * d; }

void two_terms(const Pictures& pictures) {
  section("1. Two terms");
  say("Multiply-adds of a layer of width 512:");
  say("  tokens   projections, 4·n·d²   pairs, 2·n²·d   share of the pairs");
  std::vector<double> lengths;
  for (double n = 64; n <= 65536; n *= 4) {
    lengths.push_back(n);
    const double p = projections(n, 512), q = pairs(n, 512);
    say("  {:>6.0f}   {:>20.0f}   {:>13.0f}   {:>16.0f} %", n, p, q, 100 * q / (p + q));
  }
  say("\nThe number of tokens from which the pairs cost more:");
  say("  width d      64    512    4096");
  say("  tokens 2d   {:>3}   {:>4}   {:>5}", 2 * 64, 2 * 512, 2 * 4096);
  pictures.write("terms.svg", svg_terms(lengths, 512, projections, pairs));
}

void quadratic_pattern(const Pictures& pictures) {
  section("2. The quadratic pattern");
  say("Numbers that a layer of width 512 holds:");
  say("  tokens   Q, K, V and Z   patterns of 1 head       of 8 heads      of 16 heads");
  std::vector<double> lengths;
  for (double n = 64; n <= 65536; n *= 4) {
    lengths.push_back(n);
    say("  {:>6.0f}   {:>13.0f}   {:>18.0f}   {:>14.0f}   {:>14.0f}", n, 4 * n * 512, n * n, 8 * n * n,
        16 * n * n);
  }
  say("\nMegabytes of 8 heads in float, 4 bytes a number:");
  say("  tokens   Q, K, V and Z     patterns");
  for (const double n : lengths) say("  {:>6.0f}   {:>13.1f}   {:>10.1f}", n, 16e-6 * n * 512, 32e-6 * n * n);
  pictures.write("numbers.svg", svg_numbers(lengths, 512, 8));
}

// A layer of h heads that keeps its patterns, on random tokens.
Tensor whole_layer(const Tensor& x, const std::vector<Tensor>& W, std::size_t h) {
  const Tensor Z = reference::scaled_dot_product_attention(matmul(x, W[0]), matmul(x, W[1]), matmul(x, W[2]),
                                                           {.n_heads = h});
  return matmul(Z, W[3]);
}

double layer_time(std::size_t n, std::size_t d, std::size_t h) {
  Rng rng(16);
  const Tensor x = randn({1, n, d}, rng);
  std::vector<Tensor> W;
  for (int i = 0; i < 4; ++i) W.push_back(randn({d, d}, rng, 1 / std::sqrt(static_cast<double>(d))));
  return milliseconds([&] { return whole_layer(x, W, h); });
}

void on_your_machine() {
  section("3. On your machine");
  say("A layer that keeps its patterns. Each number says how many times as much as in the first line.");
  say("     n     d    h   multiply-adds   numbers in patterns   ⏱ time");
  const double work = projections(256, 128) + pairs(256, 128), held = 4.0 * 256 * 256;
  double first = 0;
  for (const auto& [n, d, h] : std::vector<std::array<std::size_t, 3>>{{256, 128, 4},
                                                                       {512, 128, 4},
                                                                       {1024, 128, 4},
                                                                       {256, 256, 4},
                                                                       {256, 512, 4},
                                                                       {256, 128, 8},
                                                                       {256, 128, 16}}) {
    const auto N = static_cast<double>(n), D = static_cast<double>(d), H = static_cast<double>(h);
    const double time = layer_time(n, d, h);
    if (first == 0) first = time;
    say("  {:>4}   {:>3}   {:>2}   {:>13.2f}   {:>19.2f}   ⏱ {:>4.1f}   {:>6.2f} ms", n, d, h,
        (projections(N, D) + pairs(N, D)) / work, H * N * N / held, time / first, time);
  }
}

// What is known of a query after some of its keys: the largest score, the sum of the powers, the sum of the
// powers times values, both relative to the largest score.
struct Running {
  double m = -INFINITY, l = 0, o = 0;
};

Running add_block(Running at, const std::vector<double>& scores, const std::vector<double>& values) {
  double m = at.m;
  for (const double s : scores) m = std::max(m, s);
  const double shrink = math::exp(at.m - m);
  at.l *= shrink;
  at.o *= shrink;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double power = math::exp(scores[j] - m);
    at.l += power;
    at.o += power * values[j];
  }
  at.m = m;
  return at;
}

void one_row(const Pictures& pictures) {
  section("4. One row in blocks");
  const double ln2 = math::log(2);
  const std::vector<std::vector<double>> scores{{0, ln2}, {3 * ln2, 0}, {2 * ln2, ln2}},
      values{{8, 4}, {2, 8}, {4, 0}};
  say("  block   scores             values       m   factor       l       o     o/l");
  Running at;
  std::vector<RunningStep> steps;
  for (std::size_t b = 0; b < scores.size(); ++b) {
    const double before = at.m;
    at = add_block(at, scores[b], values[b]);
    steps.push_back({scores[b], values[b], math::exp(before - at.m), at.m, at.l, at.o});
    say("  {:>5}   [{:.3f}, {:.3f}]   [{}, {}]   {:>5.3f}   {:>6.2f}   {:>5.3f}   {:>5.3f}   {:>5.3f}", b,
        scores[b][0], scores[b][1], values[b][0], values[b][1], at.m, steps.back().factor, at.l, at.o,
        at.o / at.l);
  }
  const Tensor S = tensor({0, ln2, 3 * ln2, 0, 2 * ln2, ln2}), V = tensor({8, 4, 2, 8, 4, 0});
  say("The whole row at once: {:.3f}", sum(softmax(S) * V).item());
  say("\nTwo keys with the scores 709 and 712, and the values 1 and 2:");
  const double e709 = math::exp(709), e712 = math::exp(712);
  say("  powers as they are   {:.0e} and {}, output {}", e709, e712,
      std::isnan((e709 + 2 * e712) / (e709 + e712)) ? "NaN" : "finite");
  const Running large = add_block(add_block({}, {709}, {1}), {712}, {2});
  say("  running maximum      output {:.4f}, as softmax has it: {:.4f}", large.o / large.l,
      sum(softmax(tensor({709, 712})) * tensor({1, 2})).item());
  pictures.write("running.svg", svg_running(steps));
}

// One head: a pattern in one piece.
Tensor in_one_piece(const Tensor& Q, const Tensor& K, const Tensor& V) {
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(1)));
  return matmul(softmax(matmul(Q * scale, transpose(K))), V);
}

Tensor block_of(const Tensor& x, std::size_t first, std::size_t count) {
  return slice(x, 0, static_cast<int>(first), static_cast<int>(std::min(first + count, x.length(0))));
}

// The same in tiles of so many queries and keys.
Tensor in_blocks(const Tensor& Q, const Tensor& K, const Tensor& V, std::size_t queries, std::size_t keys) {
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(1)));
  std::vector<Tensor> outputs;
  for (std::size_t i = 0; i < Q.length(0); i += queries) {
    const Tensor q = block_of(Q, i, queries) * scale;
    Tensor m = full({q.length(0), 1}, -INFINITY), l = zeros({q.length(0), 1});
    Tensor o = zeros({q.length(0), V.length(1)});
    for (std::size_t j = 0; j < K.length(0); j += keys) {
      const Tensor S = matmul(q, transpose(block_of(K, j, keys)));
      const Tensor larger = maximum(m, max(S, {-1}, true));
      const Tensor shrink = exp(m - larger), powers = exp(S - larger);
      l = l * shrink + sum(powers, {-1}, true);
      o = o * shrink + matmul(powers, block_of(V, j, keys));
      m = larger;
    }
    outputs.push_back(o / l);
  }
  return concat(outputs);
}

struct OneHead {
  Tensor Q, K, V;

  explicit OneHead(std::size_t n) {
    Rng rng(n);
    Q = randn({n, 64}, rng), K = randn({n, 64}, rng), V = randn({n, 64}, rng);
  }
};

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

void all_rows() {
  section("5. All rows in blocks");
  say("Megabytes that a head of width 64 takes for its result, in double, 8 bytes a number:");
  say("  tokens   in one piece   in tiles of 64 × 64   Headlight's op   difference");
  for (const std::size_t n : {256, 512, 1024, 2048}) {
    const OneHead a(n);
    say("  {:>6}   {:>12.1f}   {:>19.1f}   {:>14.1f}   {:>10.0e}", n,
        1e-6 * bytes_of([&] { return in_one_piece(a.Q, a.K, a.V); }),
        1e-6 * bytes_of([&] { return in_blocks(a.Q, a.K, a.V, 64, 64); }),
        1e-6 * bytes_of([&] { return scaled_dot_product_attention(a.Q, a.K, a.V); }),
        difference(in_one_piece(a.Q, a.K, a.V), in_blocks(a.Q, a.K, a.V, 64, 64)));
  }
}

void last_digits() {
  section("6. Not to the last bit");
  say("(0.1 + 0.2) + 0.3 = {:.17f}", (0.1 + 0.2) + 0.3);
  say("0.1 + (0.2 + 0.3) = {:.17f}", 0.1 + (0.2 + 0.3));
  const OneHead a(256);
  const Tensor whole = in_one_piece(a.Q, a.K, a.V);
  say("\n256 tokens, the largest difference among 16384 numbers of the output:");
  say("                        from one piece   from more digits");
  say("  in one piece          {:>14}   {:>16.0e}", 0, difference_from_exact(a.Q, a.K, a.V, whole));
  for (const std::size_t keys : {256, 64, 16, 1}) {
    const Tensor o = in_blocks(a.Q, a.K, a.V, 64, keys);
    say("  blocks of {:>3} keys    {:>14.0e}   {:>16.0e}", keys, difference(whole, o),
        difference_from_exact(a.Q, a.K, a.V, o));
  }
  const Tensor fused = scaled_dot_product_attention(a.Q, a.K, a.V);
  say("  Headlight's op        {:>14.0e}   {:>16.0e}", difference(whole, fused),
      difference_from_exact(a.Q, a.K, a.V, fused));
  say("\nThe mean size of these numbers: {:.2f}", mean(abs(whole)).item());
}

// The numbers of a causal pattern in tiles of b queries and b keys, without the tiles that are hidden whole.
double computed(std::size_t n, std::size_t b) {
  double numbers = 0;
  for (std::size_t i = 0; i < n; i += b)
    for (std::size_t j = 0; j < n; j += b)
      if (j < i + b) numbers += static_cast<double>(b * b);
  return numbers;
}

void hidden_blocks(const Pictures& pictures) {
  section("7. Blocks that a mask hides");
  say("1024 tokens under a causal mask:");
  say("  tile          tiles   computed   numbers computed   share");
  for (const std::size_t b : {1024, 512, 256, 64, 16, 1}) {
    const std::size_t side = 1024 / b;
    const double numbers = computed(1024, b);
    say("  {:>4} × {:>4}   {:>7}   {:>8.0f}   {:>16.0f}   {:>5.1f} %", b, b, side * side,
        numbers / static_cast<double>(b * b), numbers, 100 * numbers / (1024 * 1024));
  }
  pictures.write("tiles.svg", svg_tiles(8));
}

void when_it_pays() {
  section("8. When it pays");
  say("One head of width 64. How many times as long as in one piece:");
  say("  tokens   multiply-adds of pairs   ⏱ one piece      tiles 64 × 64   Headlight's op   causal");
  for (const std::size_t n : {64, 256, 1024, 2048}) {
    const OneHead a(n);
    const double whole = milliseconds([&] { return in_one_piece(a.Q, a.K, a.V); });
    const double tiles = milliseconds([&] { return in_blocks(a.Q, a.K, a.V, 64, 64); });
    const double fused = milliseconds([&] { return scaled_dot_product_attention(a.Q, a.K, a.V); });
    const double causal =
        milliseconds([&] { return scaled_dot_product_attention(a.Q, a.K, a.V, {.causal = true}); });
    say("  {:>6}   {:>22.0f}   ⏱ {:>9.3f} ms   {:>13.2f}   {:>14.2f}   {:>6.2f}", n,
        pairs(static_cast<double>(n), 64), whole, tiles / whole, fused / whole, causal / whole);
  }
  say("\n1024 tokens in tiles of other sizes:");
  say("  tile          numbers in a tile   ⏱ times as long as in one piece");
  const OneHead a(1024);
  const double whole = milliseconds([&] { return in_one_piece(a.Q, a.K, a.V); });
  for (const std::size_t b : {8, 32, 128, 512, 1024})
    say("  {:>4} × {:>4}   {:>17}   ⏱ {:.2f}", b, b, b * b,
        milliseconds([&] { return in_blocks(a.Q, a.K, a.V, b, b); }) / whole);
}

int main(int argc, char** argv) {
  return run(argc, argv, "18_what_attention_costs", [](const Pictures& pictures) {
    say("Lesson 18: what attention costs");
    two_terms(pictures);
    quadratic_pattern(pictures);
    on_your_machine();
    one_row(pictures);
    all_rows();
    last_digits();
    hidden_blocks(pictures);
    when_it_pays();
  });
}
