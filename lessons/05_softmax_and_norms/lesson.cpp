// Lesson 5: softmax, cross-entropy and norms, forward and backward, and where they overflow. First come the
// functions, in the order of the text, then what the program prints of them.
#include <cmath>
#include <functional>
#include <limits>

#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "written.h"

using namespace headlight;
using namespace headlight::lesson;

Real dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

// 1. The formula as it stands in a book.
Tensor softmax_by_the_book(const Tensor& x) {
  const Tensor e = exp(x);
  return e / sum(e, {-1}, true);
}

// 2. The same, with the largest score of each row at 0.
Tensor safe_softmax(const Tensor& x) { return softmax_by_the_book(x - max(x, {-1}, true)); }

// 3. log Σ e^x of each row, without overflow.
Tensor log_sum_exp(const Tensor& x) {
  const Tensor top = max(x, {-1}, true);
  return top + log(sum(exp(x - top), {-1}, true));
}

// 4. x̄ = y ⊙ (ȳ - Σ y⊙ȳ), with g for ȳ
Tensor softmax_vjp(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g, {-1}, true)); }

using Op = std::function<Tensor(const Tensor&)>;

// What Headlight finds for x when g is the cotangent of f(x).
Tensor headlight_vjp(const Op& f, const Tensor& x, const Tensor& g) {
  const Tensor input = parameter(x);
  sum(f(input) * g).backward();
  return input.grad();
}

// The same by measuring: a central difference for each number of x.
Tensor measured_vjp(const Op& f, const Tensor& x, const Tensor& g) {
  constexpr Real h = 1e-5;
  Array slopes = x.array();
  for (std::size_t i = 0; i < x.size(); ++i) {
    Array up = x.array(), down = x.array();
    up.data()[i] += h;
    down.data()[i] -= h;
    slopes.data()[i] = (dot(f(Tensor(up)), g) - dot(f(Tensor(down)), g)) / (2 * h);
  }
  return Tensor(slopes);
}

// 5. -log p of the second score, op by op. Where p is stored as 0, the backward pass meets ∞ · 0.
Tensor loss_in_steps(const Tensor& scores) { return -sum(slice(log(softmax(scores)), -1, 1, 2)); }

// 6. y = x / √(mean of the squares + eps) along each row (Zhang and Sennrich 2019, without its weight).
Tensor rms_normalized(const Tensor& x, double eps = 0) { return x / sqrt(mean(x * x, {-1}, true) + eps); }

Tensor centred(const Tensor& x) { return x - mean(x, {-1}, true); }

// 7. x̄ = r (ȳ - y mean(y⊙ȳ)), r = 1/√(mean of the squares), for eps = 0
Tensor rms_norm_vjp(const Tensor& g, const Tensor& x) {
  const Tensor y = rms_normalized(x), r = 1 / sqrt(mean(x * x, {-1}, true));
  return r * (g - y * mean(y * g, {-1}, true));
}

// Layer norm is RMS norm after centring. So the backward pass is that of RMS norm, and then centring again.
Tensor layer_norm_vjp(const Tensor& g, const Tensor& x) { return centred(rms_norm_vjp(g, centred(x))); }

// ---- What the program prints, section by section ----

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

void scores_to_probabilities(const Pictures& pictures) {
  section("1. From scores to probabilities");
  const Tensor x = tensor({2, 1, 0});
  say("scores           {}", written(x, 0));
  say("e^score          {}", written(exp(x)));
  say("softmax          {}", written(softmax_by_the_book(x)));
  say("all scores + 5   {}", written(softmax_by_the_book(x + 5)));
  say("all scores · 3   {}", written(softmax_by_the_book(x * 3)));
  pictures.write("softmax.svg", svg_softmax());
}

void large_scores() {
  section("2. Overflow at 1000, and scores of −∞");
  say("The softmax of [2, 1, 0] + s should not depend on s:");
  say("      s   e^(2+s)    by the book               with the maximum subtracted");
  for (int s : {0, 100, 700, 1000, -1000}) {
    const Tensor x = tensor({2, 1, 0}) + s;
    const double power = std::exp(2.0 + s);
    say("  {:>5}   {:<8}   {:<24}  {}", s, std::isinf(power) ? "∞" : fmt::format("{:.2g}", power),
        written(softmax_by_the_book(x)), written(safe_softmax(x)));
  }
  const Tensor none = full({3}, -kInfinity);
  say("\nA score of -∞ means: never this one.");
  say("  [2, -∞, 0]     subtracted  {}   Headlight  {}", written(safe_softmax(tensor({2, -kInfinity, 0}))),
      written(softmax(tensor({2, -kInfinity, 0}))));
  say("  [-∞, -∞, -∞]   subtracted  {}             Headlight  {}", written(safe_softmax(none)),
      written(softmax(none)));
}

void logarithms() {
  section("3. Logarithms: log-sum-exp and log-softmax");
  for (const Tensor& x :
       {tensor({2, 1, 0}), tensor({1002, 1001, 1000}), tensor({9, 1, 0}), tensor({5, 5, 5})})
    say("log Σ e^x of {:<18}  {}", written(x, 0), written(log_sum_exp(x).item()));
  say("\nThe log-probability of the second of the scores [gap, 0]:");
  say("   gap   softmax, then log   log_softmax");
  for (int gap : {1, 10, 100, 700, 1000}) {
    const Tensor x = tensor({gap, 0});
    say("  {:>4}   {:>17}   {:>11}", gap, written(log(safe_softmax(x)).array()(1)),
        written(log_softmax(x).array()(1)));
  }
}

void backward_of_softmax() {
  section("4. The backward pass of softmax and log-softmax");
  const Tensor x = tensor({0, std::log(3)}), y = safe_softmax(x);
  const auto softmax_of = [](const Tensor& z) { return softmax(z); };
  const auto log_softmax_of = [](const Tensor& z) { return log_softmax(z); };
  say("x = [0, log 3], so y = {}.", written(y, 2));
  say("  ȳ        op            by formula          Headlight           measured");
  for (const Tensor& g : {tensor({1, 5}), tensor({1, 1})}) {
    say("  {:<7}  softmax       {:<18}  {:<18}  {}", written(g, 0), written(softmax_vjp(g, y)),
        written(headlight_vjp(softmax_of, x, g)), written(measured_vjp(softmax_of, x, g)));
    say("  {:<7}  log-softmax   {:<18}  {:<18}  {}", written(g, 0), "(your part 2)",
        written(headlight_vjp(log_softmax_of, x, g)), written(measured_vjp(log_softmax_of, x, g)));
  }
}

void surprise(const Pictures& pictures) {
  section("5. Cross-entropy");
  const Tensor logits = parameter(tensor({{2, 1, 0}, {0, 3, 0}, {1, 1, 1}}));
  const IntArray targets = {0, 0, 2};
  const Tensor p = softmax(logits);
  const Tensor losses = cross_entropy(logits, targets, {.reduction = Reduction::none});
  say("  scores      softmax                    target   -log p[target]");
  for (int i = 0; i < 3; ++i)
    say("  {:<10}  {:<25}  {:>6}   {}", written(slice(logits, 0, i, i + 1), 0),
        written(slice(p, 0, i, i + 1)), targets(i), written(losses.array()(i)));
  const Tensor loss = cross_entropy(logits, targets);
  loss.backward();
  say("The mean, the loss: {}. Equal probabilities give log 3 = {}.", written(loss.item()),
      written(std::log(3)));
  say("The gradient of the scores:");
  show(to_string(logits.grad()));
  pictures.write("cross_entropy.svg", svg_cross_entropy(p, logits.grad()));

  say("\nThe scores [1000, 0], when the second was right:");
  const auto at_once = [](const Tensor& scores) { return cross_entropy(scores, IntArray{1}); };
  const auto report = [far = tensor({{1000, 0}})](const char* name, const Op& loss_of) {
    say("  {:<18}   loss {:<9}  gradient {}", name, written(loss_of(far).item()),
        written(headlight_vjp(loss_of, far, 1)));
  };
  report("softmax, log, pick", loss_in_steps);
  report("cross_entropy", at_once);
}

void norms() {
  section("6. RMS norm and layer norm");
  const Tensor x = tensor({1, 7, 7, 1});
  say("x = {}, with eps = 0:", written(x, 0));
  say("             RMS norm                      layer norm");
  for (const auto& [name, each] : {std::pair{"x", x}, std::pair{"10 x", x * 10}, std::pair{"x + 5", x + 5}})
    say("  {:<8}   {:<28}  {}", name, written(rms_normalized(each), 3),
        written(layer_norm(each, {}, {}, 0), 3));
  say("RMS norm of x minus its mean: {}", written(rms_normalized(centred(x)), 3));
  const Tensor equal = full({4}, 5);
  say("Layer norm of {}: with eps = 0 {}, with eps = 1e-5 {}", written(equal, 0),
      written(layer_norm(equal, {}, {}, 0)), written(layer_norm(equal), 0));
}

void backward_of_norms(const Pictures& pictures) {
  section("7. The backward pass of a norm");
  const Tensor x = tensor({1, 7, 7, 1}), g = tensor({1, 2, 3, 6});
  const auto layer = [](const Tensor& z) { return layer_norm(z, {}, {}, 0); };
  const auto rms = [](const Tensor& z) { return rms_normalized(z); };
  const Tensor rms_x = rms_norm_vjp(g, x), layer_x = layer_norm_vjp(g, x);
  say("x = {}, and what arrives is ȳ = {}.", written(x, 0), written(g, 0));
  const auto compare = [&](const char* name, const Tensor& by_formula, const Op& norm) {
    say("  {:<10}   by formula  {}", name, written(by_formula));
    say("               Headlight   {}", written(headlight_vjp(norm, x, g)));
    say("               measured    {}", written(measured_vjp(norm, x, g)));
  };
  compare("RMS norm", rms_x, rms);
  compare("layer norm", layer_x, layer);
  say("               sum of x̄⊙x   sum of x̄");
  say("  RMS norm     {:>10}   {:>8}", written(dot(rms_x, x)), written(sum(rms_x).item()));
  say("  layer norm   {:>10}   {:>8}", written(dot(layer_x, x)), written(sum(layer_x).item()));
  pictures.write("three_parts.svg", svg_three_parts(g, layer(x)));
}

Real length(const Tensor& x) { return std::sqrt(dot(x, x)); }

void lengths(const Pictures& pictures) {
  section("8. What a norm does to lengths");
  const Tensor x = tensor({1, 7, 7, 1}), g = tensor({1, 2, 3, 6});
  say("The input times a factor, and the length of its gradient:");
  for (double factor : {1, 10, 100})
    say("  {:>3} x   |x| = {:<10}  |x̄| = {}", factor, written(length(x * factor)),
        written(length(rms_norm_vjp(g, x * factor))));
  pictures.write("circle.svg", svg_circle(tensor({-0.6, 1.2}), rms_norm_vjp));

  say("\nSteps of descent, x ← x - 5 x̄:");
  Tensor moving = x;
  for (int step = 0; step <= 100; ++step) {
    const Tensor d = rms_norm_vjp(g, moving);
    if (step == 0 || step == 1 || step == 10 || step == 100)
      say("  step {:>3}   loss {:>8}   |x| = {:<8}  |x̄| = {}", step, written(dot(rms_normalized(moving), g)),
          written(length(moving)), written(length(d)));
    moving = moving - d * 5;
  }
}

int main(int argc, char** argv) {
  return run(argc, argv, "05_softmax_and_norms", [](const Pictures& pictures) {
    say("Lesson 5: softmax and norms");
    scores_to_probabilities(pictures);
    large_scores();
    logarithms();
    backward_of_softmax();
    surprise(pictures);
    norms();
    backward_of_norms(pictures);
    lengths(pictures);
  });
}
