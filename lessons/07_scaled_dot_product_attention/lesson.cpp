// Lesson 7: scaled dot-product attention: a soft lookup, its scale, its masks and its cost.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"
#include "headlight/report/chart.h"
#include "headlight/report/diagram.h"
#include "headlight/report/sheet.h"
#include "lesson_program.h"

using namespace headlight;
using namespace headlight::lesson;
using report::CellStyle;

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// A number with so many decimals, and a word for what is no number.
std::string written(double x, int decimals = 4) {
  if (std::isnan(x)) return "NaN";
  const std::string text = fmt::format("{:.{}f}", x, decimals);
  return text.find_first_not_of("-0.") == std::string::npos ? fmt::format("{:.{}f}", 0.0, decimals) : text;
}

std::string written(const Tensor& x, int decimals = 4) {
  std::string row;
  for (Real number : x.array()) row += (row.empty() ? "" : ", ") + written(number, decimals);
  return "[" + row + "]";
}

// The rows of several matrices side by side.
void show_rows(const std::vector<Tensor>& matrices, int decimals) {
  for (int i = 0; i < static_cast<int>(matrices[0].length(0)); ++i) {
    std::string line;
    for (const Tensor& x : matrices) line += written(slice(x, 0, i, i + 1), decimals) + "   ";
    say("  {}", line.substr(0, line.size() - 3));
  }
}

Real farthest(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

// Two queries, three keys and their values.
Tensor queries() { return tensor({{1, 1, 1, 1}, {1, -1, 1, -1}}); }
Tensor keys() { return tensor({{1, 1, 1, 1}, {1, 1, 1, -1}, {1, 1, -1, -1}}); }
Tensor values() { return tensor({{10, 0}, {0, 10}, {10, 10}}); }

// The weights of a single query q for the three keys, and the weighted mean of the values.
struct Found {
  Tensor weights, output;
};
Found look_up(const Tensor& q) {
  const Tensor scores = sum(q * keys(), {-1}) / 2;  // √4 = 2
  const Tensor weights = softmax(scores);
  return {weights, sum(reshape(weights, {3, 1}) * values(), {0})};
}

void soft_lookup() {
  section("1. A soft lookup");
  const Tensor q = reshape(slice(queries(), 0, 0, 1), {4}), products = sum(q * keys(), {-1});
  say("The query {} and the three keys:", written(q, 0));
  say("  q·k          {}", written(products, 0));
  say("  score        {}", written(products / 2, 0));
  say("  weight       {}", written(look_up(q).weights));
  say("  output       {}", written(look_up(q).output));
  say("\nThe query times a factor:");
  say("  factor   weights                    output");
  for (int factor : {0, 1, 3, 10}) {
    const Found found = look_up(q * factor);
    say("  {:>6}   {:<24}   {}", factor, written(found.weights), written(found.output));
  }
}

void all_at_once(const Pictures& pictures) {
  section("2. All queries at once");
  const Tensor Q = queries(), K = keys(), V = values();
  const Tensor S = reference::attention_scores(Q, K);
  const Tensor P = reference::attention_pattern(S);
  const Tensor O = reference::attention_output(P, V);
  say("The scores, the pattern, the output:");
  show_rows({S, P, O}, 4);
  say("Does scaled_dot_product_attention(Q, K, V) give the same output? {}",
      yes(farthest(O, scaled_dot_product_attention(Q, K, V)) < 1e-12));
  const auto reversed = [](const Tensor& x) {
    return concat({slice(x, 0, 2, 3), slice(x, 0, 1, 2), slice(x, 0, 0, 1)});
  };
  say("And with the keys and their values in reverse order? {}",
      yes(farthest(O, scaled_dot_product_attention(Q, reversed(K), reversed(V))) < 1e-12));

  const auto drawn = [](const char* before, const char* name, const Tensor& x, const char* shape,
                        int decimals = 0, CellStyle style = CellStyle::plain) {
    report::DrawnMatrix matrix = report::matrix_of(before, name, x.array(), decimals, style);
    matrix.note = fmt::format("{} = {}", shape, matrix.note);
    return matrix;
  };
  pictures.write(
      "shapes.svg",
      report::svg_matrix_lines("Attention: 2 queries, 3 keys and their values",
                               {{drawn("", "Q", Q, "(n,d_k)"), drawn("·", "Kᵀ", transpose(K), "(d_k,m)"),
                                 drawn("/ 2 =", "scores S", S, "(n,m)", 1)},
                                {drawn("softmax", "pattern P", P, "(n,m)", 2, CellStyle::strong),
                                 drawn("·", "V", V, "(m,d_v)"), drawn("=", "output", O, "(n,d_v)", 2)}}));
}

void printed_table(const Pictures& pictures) {
  section("3. A table as you may find it printed");
  const Tensor products = tensor({{20.5, 15.2, 8.3, 12.1},
                                  {16.8, 22.3, 10.5, 14.2},
                                  {9.2, 11.5, 19.8, 7.6},
                                  {13.4, 15.1, 9.9, 21.2}});
  const Tensor printed = tensor({{0.48, 0.25, 0.10, 0.17},
                                 {0.18, 0.51, 0.10, 0.21},
                                 {0.12, 0.16, 0.62, 0.10},
                                 {0.16, 0.19, 0.10, 0.55}});
  say("q·k, and the pattern as printed:");
  show_rows({products, printed}, 2);
  const Tensor right = softmax(products / 8);
  const IntArray largest = {0, 1, 2, 3}, next = {1, 0, 1, 1};
  say("The two largest of each row:");
  say("  row   difference   the ratio must be   printed   ratio");
  for (int i = 0; i < 4; ++i) {
    const Real difference = products.array()(i, largest(i)) - products.array()(i, next(i));
    const Real a = printed.array()(i, largest(i)), b = printed.array()(i, next(i));
    say("  {:>3}   {:>10.1f}   {:>17.2f}   {:.2f}/{:.2f}   {:.2f}", i + 1, difference, std::exp(difference / 8),
        a, b, a / b);
  }
  say("The sum of each printed row: {}", written(sum(printed, {-1}), 2));
  say("The pattern of these q·k:");
  show_rows({right}, 3);

  report::DrawnMatrix wrong = report::matrix_of("→", "as printed", printed.array(), 2);
  for (std::size_t i = 1; i < 4; ++i)
    for (report::Cell& cell : wrong.rows[i]) cell.style = CellStyle::strong;
  pictures.write("printed_table.svg",
                 report::svg_matrices("Rows 2 to 4 of the printed pattern are wrong",
                                      {report::matrix_of("", "q·k, d_k = 64", products.array(), 1), wrong,
                                       report::matrix_of("≠", "softmax of q·k / 8", right.array(), 2)}));
}

// q·k of 200 random queries, each with 16 random keys of its own: (200,16).
Tensor random_products(std::size_t d_k, Rng& rng) {
  return sum(randn({200, 1, d_k}, rng) * randn({200, 16, d_k}, rng), {-1});
}

void variance(const Pictures& pictures) {
  section("4. Why 1/√d_k");
  Rng rng(7);
  report::Series line{"Var = d_k", {1, 512}, {1, 512}}, plain{"q·k, measured", {}, {}, true},
      scaled{"q·k / √d_k, measured", {}, {}, true};
  say("4000 pairs of random vectors; then the mean of the largest of 16 weights:");
  say("   d_k   Var(q·k)   Var(q·k/√d_k)   softmax of q·k   of q·k/√d_k   of q·k/d_k");
  for (int d = 1; d <= 512; d *= 2) {
    const std::size_t length = static_cast<std::size_t>(d);
    const Tensor products = sum(randn({4000, length}, rng) * randn({4000, length}, rng), {-1});
    const double measured = var(products).item(), root = std::sqrt(d);
    plain.x.push_back(d), plain.y.push_back(measured);
    scaled.x.push_back(d), scaled.y.push_back(measured / d);
    const Tensor of_16 = random_products(length, rng);
    const auto largest = [&](double by) { return mean(max(softmax(of_16 / by), {-1})).item(); };
    say("  {:>4}   {:>8.1f}   {:>13.2f}   {:>14.2f}   {:>11.2f}   {:>10.2f}", d, measured, measured / d,
        largest(1), largest(root), largest(d));
  }
  pictures.write("variance.svg", report::svg_chart({"The variance of q·k grows as d_k",
                                                    {.label = "d_k", .logarithmic = true},
                                                    {.label = "variance", .logarithmic = true},
                                                    {line, plain, scaled}}));
}

// What arrives at x when g is the cotangent of y.
Tensor vjp(const Tensor& y, const Tensor& x, const Tensor& g) { return grad(y, {x}, {.cotangent = g})[0]; }

// The length of each row, sorted.
std::vector<double> lengths(const Tensor& rows) {
  const Array squares = sum(rows * rows, {-1}).array();
  std::vector<double> all;
  for (Real square : squares) all.push_back(std::sqrt(square));
  std::sort(all.begin(), all.end());
  return all;
}

double middle(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

// For each of 400 rows of 16 scores: how long the cotangent of the scores is when that of the weights has
// length 1.
std::vector<double> passed_on(double factor) {
  Rng rng(11);
  const Tensor scores = parameter(factor * randn({400, 16}, rng)), g = randn({400, 16}, rng);
  const Tensor unit = g / sqrt(sum(g * g, {-1}, true));
  return lengths(vjp(softmax(scores), scores, unit));
}

void saturated(const Pictures& pictures) {
  section("5. A saturated softmax");
  say("Two keys, scores s and 0. How fast the first weight p moves with s:");
  say("     s   p          slope     p (1 - p)");
  for (double s : {0.0, 2.0, 5.0, 10.0, 20.0}) {
    const Tensor scores = parameter(tensor({s, 0})), p = softmax(scores);
    const Real slope = vjp(p, scores, tensor({1, 0})).array()(0), first = p.array()(0);
    say("  {:>4}   {:.6f}   {:.1e}   {:.1e}", s, first, slope, first * p.array()(1));
  }
  report::Series half{"the bound 1/2", {0.1, 100}, {0.5, 0.5}}, largest{"largest of 400", {}, {}},
      typical{"median of 400", {}, {}};
  for (int i = 0; i <= 24; ++i) {
    const double factor = std::pow(10.0, i / 8.0 - 1);
    const std::vector<double> passed = passed_on(factor);
    largest.x.push_back(factor), largest.y.push_back(passed.back());
    typical.x.push_back(factor), typical.y.push_back(middle(passed));
  }
  say("\n16 scores with standard deviation c. Of a cotangent of length 1 there passes:");
  say("     c   median    largest");
  for (double factor : {0.1, 1.0, 3.0, 10.0, 22.6, 100.0}) {
    const std::vector<double> passed = passed_on(factor);
    say("  {:>4}   {:.1e}   {:.2f}", factor, middle(passed), passed.back());
  }
  pictures.write("saturated.svg", report::svg_chart({"What softmax lets pass of a cotangent of length 1",
                                                     {.label = "standard deviation of the scores", .logarithmic = true},
                                                     {.label = "length that arrives at the scores", .logarithmic = true},
                                                     {half, largest, typical}}));
  for (std::size_t d : {1,4,16,64,256,512}) for (bool with : {true, false}) {
    Rng rng(12);
    const Tensor q = parameter(randn({400, 1, d}, rng)), k = randn({400, 16, d}, rng), g = randn({400,16}, rng);
    const Tensor s = sum(q*k,{-1}) / (with ? std::sqrt(double(d)) : 1.0);
    const auto l = lengths(reshape(vjp(softmax(s), q, g / sqrt(sum(g * g, {-1}, true))), {400, (int)d}));
    double mean = 0; for (double x : l) mean += x / 400;
    say("TMP d {} scaled {}: 10% {:.1e} median {:.1e} mean {:.3f} 90% {:.3f} max {:.2f}", d, with, l[40], middle(l), mean, l[360], l.back());
  }
}

// The pattern of q and k over the keys that may be seen.
Tensor pattern_of(const Tensor& q, const Tensor& k, const BoolArray& visible) {
  return reference::attention_pattern(reference::attention_scores(q, k, {.mask = visible}));
}

BoolArray causal(std::size_t n, std::size_t m) {
  return visible_keys(n, m, {.causal = true, .first_query = m - n});
}

// The keys before `first` are padding.
BoolArray tokens(std::size_t n, std::size_t m, std::size_t first) {
  BoolArray visible({n, m}, false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = first; j < m; ++j) visible(i, j) = true;
  return visible;
}

BoolArray both(BoolArray a, const BoolArray& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = a.data()[i] && b.data()[i];
  return a;
}

Tensor as_numbers(const BoolArray& mask) { return where(mask, 1, 0); }

void masks(const Pictures& pictures) {
  section("6. Masks");
  const Tensor q = zeros({4, 1}), k = ones({4, 1});  // all scores are 0
  const Tensor before = pattern_of(q, k, causal(4, 4)), after = softmax(matmul(q, transpose(k))) * as_numbers(causal(4, 4));
  say("All scores 0. The causal mask; its pattern masked before softmax; masked after it:");
  show_rows({as_numbers(causal(4, 4)), before, after}, 2);
  say("The sums of the rows: {} and {}", written(sum(before, {-1}), 2), written(sum(after, {-1}), 2));

  Rng rng(3);
  const Tensor x = randn({8, 16}, rng), keys = randn({8, 16}, rng), v = randn({8, 2}, rng);
  const auto map = [&](const char* title, const BoolArray& visible) {
    return report::Heatmap{pattern_of(x, keys, visible).array(), {}, {}, title};
  };
  const BoolArray all({8, 8}, true), future = causal(8, 8), padding = tokens(8, 8, 3);
  pictures.write("masks.svg", report::svg_sheet({"One head's pattern under four masks: row = query, column = key",
                                                 {map("no mask", all), map("causal", future),
                                                  map("padding: keys 0 to 2", padding),
                                                  map("causal and padding", both(future, padding))}, 4}));

  const auto output = [&](const Tensor& values, const BoolArray& visible) {
    return matmul(pattern_of(x, keys, visible), values);
  };
  const Tensor changed = concat({slice(v, 0, 0, 7), tensor({{100, 100}})});
  const auto moved = [&](const BoolArray& visible) {
    return max(abs(output(v, visible) - output(changed, visible)), {-1});
  };
  say("The value of the last key becomes 100. How far the outputs of the 8 queries move:");
  say("  no mask  {}", written(moved(all), 2));
  say("  causal   {}", written(moved(future), 2));

  say("\nThe last 2 queries of 4, in the right corner, and in the wrong one:");
  show_rows({as_numbers(causal(2, 4)), as_numbers(visible_keys(2, 4, {.causal = true}))}, 0);
  const Tensor last = slice(x, 0, 6, 8), whole = slice(output(v, future), 0, 6, 8);
  say("Are the outputs of the last 2 queries those of all 8? {}",
      yes(farthest(whole, matmul(pattern_of(last, keys, causal(2, 8)), v)) < 1e-12));
}

// log x where x > 0, else 0. The first drops what went wrong, the second does not let it happen.
Tensor dropped(const Tensor& x) { return where(greater(x, 0), log(x), 0); }
Tensor avoided(const Tensor& x) { return where(greater(x, 0), log(where(greater(x, 0), x, 1)), 0); }

void nowhere() {
  section("7. A query that may look nowhere");
  const BoolArray visible = both(causal(3, 3), tokens(3, 3, 1));
  const Tensor scores = tensor({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  const auto by_the_book = [](const Tensor& s) {
    const Tensor e = exp(s - max(s, {-1}, true));
    return e / sum(e, {-1}, true);
  };
  say("Key 0 is padding. The mask; the pattern by the book; with -1e9; as Headlight has it:");
  show_rows({as_numbers(visible)}, 0);
  show_rows({by_the_book(masked_fill(scores, !visible, -kInfinity)), by_the_book(masked_fill(scores, !visible, -1e9)),
             softmax(masked_fill(scores, !visible, -kInfinity))}, 2);
  say("\nlog x where x > 0, else 0, at x = [2, 0]:");
  say("            result             gradient");
  for (const auto& [name, f] : {std::pair{"dropped", dropped}, std::pair{"avoided", avoided}}) {
    const Tensor at = parameter(tensor({2, 0})), y = f(at);
    say("  {}   {}   {}", name, written(y), written(vjp(y, at, ones({2}))));
  }
}

// Attention without its numbers: how often it multiplies and adds in its two products.
struct Count {
  std::size_t scores = 0, outputs = 0;
};
Count counted(std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
  Count count;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t c = 0; c < d_k; ++c) ++count.scores;
    for (std::size_t c = 0; c < d_v; ++c)
      for (std::size_t j = 0; j < m; ++j) ++count.outputs;
  }
  return count;
}

void cost() {
  section("8. What it costs");
  const Count small = counted(2, 3, 4, 2);
  say("n = 2, m = 3, d_k = 4, d_v = 2: {} multiply-adds for the scores, {} for the outputs.", small.scores,
      small.outputs);
  say("\nn = m, d_k = d_v = 64:");
  say("      n   multiply-adds   numbers in Q, K and V   numbers in the pattern");
  for (std::size_t n : {64, 128, 256, 512, 1024}) {
    const Count count = counted(n, n, 64, 64);
    say("  {:>5}   {:>13}   {:>21}   {:>22}", n, count.scores + count.outputs, 3 * n * 64, n * n);
  }
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
