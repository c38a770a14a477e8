// What the papers measure, on hand-made answers whose numbers are known. All numbers of an example differ, so
// that exchanged rows show.
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "catch.h"
#include "headlight/core/rng.h"
#include "papers/measures.h"

using namespace headlight;
using namespace headlight::papers;

namespace {

void check_rows(const std::vector<double>& rows, const std::vector<double>& expected, double part = 1e-9) {
  REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << ": " << rows[i] << ", expected " << expected[i]);
    CHECK(std::abs(rows[i] - expected[i]) <= part * std::abs(expected[i]));
  }
}

// The mean of f(p) over the density c·p^a·(1-p)^b, by the midpoint rule.
double mean_over(double a, double b, auto&& f) {
  constexpr int kPoints = 20000;
  double sum = 0, all = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double p = (i + 0.5) / kPoints, density = std::pow(p, a) * std::pow(1 - p, b);
    sum += density * f(p), all += density;
  }
  return sum / all;
}

}  // namespace

TEST_CASE("Elhage 2022: the angles between neighbours, around the circle", "[program][paper]") {
  Array W = Array::from_shape({2, 5});  // at 10, 50, 200, 300 and 345 degrees, in another order
  const double degrees[] = {300, 10, 345, 200, 50}, lengths[] = {1, 2, 0.5, 3, 0.1};
  for (std::size_t i = 0; i < 5; ++i) {
    const double angle = degrees[i] * std::numbers::pi / 180;
    W(0, i) = static_cast<Real>(lengths[i] * std::cos(angle));
    W(1, i) = static_cast<Real>(lengths[i] * std::sin(angle));
  }
  check_rows(elhage::rows_of(W), {25, 150}, 1e-5);
}

TEST_CASE("Olsson 2022: the steps of a curve, and the seeds of a row", "[program][paper]") {
  using olsson::Curves;
  CHECK(std::abs(olsson::halfway({"", {0, 10, 20, 30}, {4, 4, 1, 0}}) - 50.0 / 3) < 1e-12);
  CHECK(olsson::halfway({"", {0, 10, 20, 40}, {0, 0.1, 0.3, 0.8}}) == 24);
  CHECK(olsson::steepest({"", {0, 1, 2, 3, 4, 5, 6, 7, 8}, {9, 9, 9, 9, 9, 8, 7, 1, 0}}) == 5);
  const auto curves = [](double fall, double rise, double best) {
    return Curves{{"", {0, fall, 2 * fall}, {3, 2, 1}}, {"", {0, rise, 2 * rise}, {0, best / 2, best}}};
  };
  check_rows(olsson::rows_of({{curves(20, 10, 0.9), curves(30, 25, 0.8), curves(40, 40, 0.95)},
                              {curves(1, 2, 0.1), curves(3, 5, 0.3), curves(7, 11, 0.2)},
                              {curves(2, 3, 0.7), curves(5, 7, 0.6), curves(11, 13, 0.65)},
                              {curves(5, 1, 0.4), curves(10, 2, 0.5), curves(30, 3, 0.45)}}),
             {0.8, 30.0 / 25, 0.3, 0.6, 15.0 / 30});
}

// The layer's weights for a new x are η R g, with g the gradient's and R a rotation by θ in five planes. With
// inputs of mean square s, |w|² = d and E tr C² = 2.2 at s = 1/3, its error is s (d - 2η cos θ d s + η² E tr
// C²).
TEST_CASE("von Oswald 2022: a layer made of a rotated gradient step", "[program][paper]") {
  constexpr std::size_t kInputs = 10, kToken = kInputs + 1;
  const double rate = 0.8, angle = 0.3, c = std::cos(angle), d = kInputs;
  const Array zeros = full_array({kToken, kToken}, 0);
  vonoswald::Weights layer{zeros, zeros, zeros, zeros};
  for (std::size_t j = 0; j < kInputs; ++j) {
    layer.W_K(j, j) = 1;
    layer.W_Q(j, j) = static_cast<Real>(c);
    layer.W_Q(j, j ^ 1) = static_cast<Real>(j % 2 == 0 ? std::sin(angle) : -std::sin(angle));
  }
  layer.W_V(kInputs, kInputs) = 1, layer.P(kInputs, kInputs) = static_cast<Real>(-rate / 10);
  const auto error = [&](double s) {
    return s * (d - 2 * rate * c * d * s + rate * rate * 2.2 * (9 * s * s));
  };
  const std::vector<double> rows = vonoswald::rows_of(layer, 1);
  check_rows(rows, {error(1.0 / 3), c, rate * c, error(4.0 / 3)}, 0.05);
  CHECK(std::abs(vonoswald::rows_of(layer, 2)[0] - rows[0]) > 1e-6);  // on other tasks as well
  CHECK(std::abs(rows[1] - c) < 1e-5);
  CHECK(std::abs(rows[2] - rate * c) < 1e-5);
  CHECK(std::abs(vonoswald::best_rate() - d / 3 / 2.2) < 1e-12);
  const double best = vonoswald::best_rate();
  CHECK(std::abs(vonoswald::error_of_step(1) - (d - 2 * best * d / 3 + best * best * 2.2) / 3) < 1e-12);
  CHECK(std::abs(vonoswald::error_of_step(2) - 4 * (d - 8 * best * d / 3 + best * best * 16 * 2.2) / 3) <
        1e-9);
}

TEST_CASE("Nanda 2023: what is learned when, and by how many frequencies", "[program][paper]") {
  using nanda::Training;
  const Training with{1,
                      {{10, {{{0.7, 0.2}, {0.1, 4}}}},
                       {20, {{{0.9, 0.09}, {0.2, 3}}}},
                       {30, {{{0.95, 0.05}, {0.6, 0.5}}}},
                       {50, {{{1, 0.01}, {0.97, 0.08}}}},
                       {70, {{{1, 0.001}, {0.98, 0.02}}}}},
                      {0.5, 0.3, 0.12, 0.05, 0.03}};
  const Training without{0, {{10, {{{0.5, 1}, {0.1, 5}}}}, {40, {{{1, 0.01}, {0.21, 20}}}}}, {0.1, 0.1}};
  check_rows(nanda::rows_of(with, without), {0.98, 2.5, 4, 0.21});
  CHECK(without.learned(nanda::held_out) == 40);  // never, so the last
}

TEST_CASE("Quirke 2023: the 9s that a carry passes, and the answers by them", "[program][paper]") {
  using quirke::Question;
  const auto number = [](const std::array<std::int32_t, 5>& digits) {
    return std::accumulate(digits.begin(), digits.end(), 0, [](int n, int digit) { return 10 * n + digit; });
  };
  const std::pair<Question, std::size_t> known[] = {
      {{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 0}}, 1},
      {{{0, 0, 0, 0, 5}, {0, 0, 0, 0, 5}}, 0},
      {{{0, 0, 0, 9, 5}, {0, 0, 0, 0, 5}}, 1},
      {{{0, 0, 9, 9, 0}, {0, 0, 0, 1, 0}}, 1},
      {{{9, 9, 4, 4, 5}, {0, 0, 5, 3, 5}}, 0},
      {{{1, 9, 4, 7, 5}, {0, 0, 5, 3, 5}}, 2},
      {{{9, 9, 4, 4, 5}, {0, 0, 5, 5, 5}}, 4},
      {{{4, 5, 4, 5, 1}, {5, 5, 5, 5, 1}}, 1}};  // two carries pass one each
  for (const auto& [q, nines] : known) {
    INFO(number(q.x) << " + " << number(q.y));
    CHECK(quirke::nines_passed(q) == nines);
    const std::vector<std::int32_t> tokens = quirke::tokens_of(q);
    REQUIRE(tokens.size() == 18);
    CHECK(tokens[5] == 10);
    CHECK(tokens[11] == 11);
    int sum = 0;
    for (std::size_t i = 12; i < 18; ++i) sum = 10 * sum + tokens[i];
    CHECK(sum == number(q.x) + number(q.y));
  }
  quirke::Score two, one;
  for (const auto& [q, nines] : known) two.add(q, nines != 4);
  CHECK(two.asked == std::array<double, 5>{2, 4, 1, 0, 1});
  CHECK(two.wrong == std::array<double, 5>{0, 0, 0, 0, 1});
  one.asked = {10, 20, 4, 2, 2}, one.wrong = {1, 4, 2, 1, 0};
  check_rows(quirke::rows_of(two, one), {1, 1 - 8.0 / 38, 0.8, 1 - 3.0 / 8});
  std::set<std::vector<std::int32_t>> different;
  double nines = 0;
  for (std::size_t part = 0; part < 8; ++part)
    for (const Question& q : quirke::asked_in(part, {0.4, 0.5})) {
      different.insert(quirke::tokens_of(q));
      for (std::size_t i = 0; i < 5; ++i) nines += q.x[i] + q.y[i] == 9 ? 1 : 0;
    }
  CHECK(different.size() > 3990);  // of 4,000
  CHECK(std::abs(nines / 20000 - (0.6 * 0.1 + 0.4 * (0.5 + 0.5 * 0.1))) < 0.02);
}

TEST_CASE("Edelman 2024: strategies and the truth after a chain", "[program][paper]") {
  using namespace edelman;
  const IntArray tokens = {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 0, 1, 1}};
  const Next next = next_of(tokens, 1);  // five 1s and a 0; after 1 stood three 1s and a 0
  CHECK(next.strategies[uniform] == Probabilities{0.5, 0.5});
  CHECK(next.strategies[unigram] == Probabilities{2.0 / 8, 6.0 / 8});
  CHECK(next.strategies[bigram] == Probabilities{2.0 / 6, 4.0 / 6});
  const auto negative_entropy = [](double p) { return p * std::log(p) + (1 - p) * std::log(1 - p); };
  CHECK(std::abs(next.log_truth - mean_over(3, 1, negative_entropy)) < 1e-6);  // of a 1: Beta(4,2)

  // A second chain: 0 0 0 0 0 0 says of a 0 after 0 that it is Beta(6,1).
  const std::vector<Next> chains{next, next_of(tokens, 0)};
  const std::vector<Probabilities> logs{{std::log(0.3), std::log(0.7)}, {std::log(0.9), std::log(0.1)}};
  const Divergences d = divergences(chains, logs);
  const auto kl = [](double p, double q) {
    return p * std::log(p / q) + (1 - p) * std::log((1 - p) / (1 - q));
  };
  CHECK(std::abs(d.of[uniform] - (kl(0.5, 0.7) + kl(0.5, 0.9)) / 2) < 1e-12);
  CHECK(std::abs(d.of[unigram] - (kl(6.0 / 8, 0.7) + kl(7.0 / 8, 0.9)) / 2) < 1e-12);
  CHECK(std::abs(d.of[bigram] - (kl(4.0 / 6, 0.7) + kl(6.0 / 7, 0.9)) / 2) < 1e-12);
  CHECK(std::abs(d.truth - (mean_over(3, 1, [&](double p) { return kl(p, 0.7); }) +
                            mean_over(5, 0, [&](double p) { return kl(p, 0.9); })) /
                               2) < 1e-6);

  const std::vector<Divergences> along = {{0, {0.01, 0.5, 0.9}, 0.21},
                                          {25, {0.3, 0.02, 0.4}, 0.07},
                                          {50, {0.6, 0.2, 0.03}, 0.05},
                                          {75, {0.7, 0.3, 0.04}, 0.06}};
  check_rows(rows_of(along), {3, 0.21, 0.07, 0.04});
  check_rows(rows_of({along[0], along[2], along[1]}), {3, 0.21, 0.07, 0.4});  // the steps tell the order
  check_rows(rows_of({{0, {0.3, 0.2, 0.4}, 0.2}, {25, {0.1, 0.5, 0.6}, 0.1}}), {1, 0.2, 0.2, 0.6});
}

TEST_CASE("Makkuva 2024: the losses of a chain", "[program][paper]") {
  const makkuva::Chain chain{0.2, 0.5};
  const double one = 0.2 / 0.7, zero = 0.5 / 0.7;
  CHECK(std::abs(chain.share_of_1() - one) < 1e-12);
  const auto entropy = [](const std::vector<double>& p) {
    return std::accumulate(p.begin(), p.end(), 0.0,
                           [](double sum, double x) { return sum - x * std::log(x); });
  };
  CHECK(std::abs(chain.unigram_loss() - entropy({zero, one})) < 1e-12);
  // The entropy of two neighbours less that of one.
  const double both = entropy({zero * 0.8, zero * 0.2, one * 0.5, one * 0.5});
  CHECK(std::abs(chain.entropy_rate() - (both - entropy({zero, one}))) < 1e-12);
}

TEST_CASE("Nichani 2024: parents, the Bayes predictor and what a model loses to it", "[program][paper]") {
  using namespace nichani;
  Graph graph{"", {}};
  graph.parents.fill(kNone);
  graph.parents[3] = 0, graph.parents[4] = 2, graph.parents[7] = 4, graph.parents[18] = 5;
  CHECK(graph.edges() == 4);

  Rng rows(3);
  double squares = 0;
  for (int draw = 0; draw < 4000; ++draw)
    for (const double p : dirichlet(rows)) squares += p * p / 4000;
  CHECK(std::abs(squares - (kAlpha + 1) / (kTokens * kAlpha + 1)) < 0.015);  // its second moment

  Array pattern = full_array({kLength, kLength}, Real(0.01));
  pattern(3, 0) = pattern(7, 4) = pattern(18, 5) = Real(0.5);
  pattern(4, 1) = Real(0.5), pattern(4, 2) = Real(0.4);  // more at 1 than at its parent
  pattern(5, 5) = pattern(6, 0) = Real(0.9);             // without a parent
  CHECK(parents_found(pattern, graph) == 3);
  pattern(7, 7) = pattern(18, 18) = Real(0.6);  // more at itself
  CHECK(parents_found(pattern, graph) == 1);

  std::array<std::size_t, kLength> tokens;
  tokens.fill(9);
  tokens[0] = tokens[2] = tokens[5] = tokens.back() = 6;  // 6 is asked; its children are 3, 4 and 18
  tokens[3] = tokens[18] = 1, tokens[4] = 2, tokens[7] = 3;
  const Probabilities bayes = bayes_of(graph, tokens);
  for (std::size_t v = 0; v < kTokens; ++v) {
    const double count = v == 1 ? 2 : v == 2 ? 1 : 0;
    CHECK(std::abs(bayes[v] - (count + 0.1) / (3 + 1)) < 1e-12);
  }

  Probabilities truth{}, model{}, log_model, log_bayes;
  truth[1] = 0.75, truth[2] = 0.25;
  for (std::size_t v = 0; v < kTokens; ++v) model[v] = (v + 1) / 55.0;
  for (std::size_t v = 0; v < kTokens; ++v)
    log_model[v] = std::log(model[v]), log_bayes[v] = std::log(bayes[v]);
  CHECK(std::abs(excess_of(truth, bayes, log_bayes)) < 1e-12);
  const double loss = -0.75 * std::log(2 / 55.0) - 0.25 * std::log(3 / 55.0);
  const double least = -0.75 * std::log(2.1 / 4) - 0.25 * std::log(1.1 / 4);
  CHECK(std::abs(excess_of(truth, bayes, log_model) - (loss - least)) < 1e-12);

  Matrix m;
  Rng rng(1);
  for (Probabilities& row : m) {
    for (double& p : row) p = 0.01 + rng.uniform();
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& p : row) p /= sum;
  }
  const Probabilities mu = stationary(m);
  CHECK(std::abs(std::accumulate(mu.begin(), mu.end(), 0.0) - 1) < 1e-12);
  for (std::size_t j = 0; j < kTokens; ++j) {
    double next = 0;
    for (std::size_t i = 0; i < kTokens; ++i) next += mu[i] * m[i][j];
    CHECK(std::abs(next - mu[j]) < 1e-12);
  }
}

TEST_CASE("Sanford 2024: where hops lead, and the depth that they need", "[program][paper]") {
  using namespace sanford;
  const std::int32_t a = 0, b = 1, c = 2, nowhere = kNowhere;
  const std::vector<std::int32_t> x = {5, a, b, a, c, a, b};
  const auto from = [&](std::size_t hops) {
    const std::vector<std::int32_t> all = answers_of(x, hops);
    return std::vector<std::int32_t>(all.begin() + 1, all.end());
  };
  CHECK(from(1) == std::vector<std::int32_t>{nowhere, nowhere, b, nowhere, c, a});
  CHECK(from(2) == std::vector<std::int32_t>{nowhere, nowhere, nowhere, nowhere, nowhere, b});
  CHECK(from(3) == std::vector<std::int32_t>(6, nowhere));
  const std::array<Errors, kDepths> errors = {{{1.1, 6, 30, 40}, {0.5, 4.9, 5.5, 20}, {0.2, 0.3, 4.8, 7}}};
  check_rows(rows_of(errors), {2, 3, 4, 5, 6, 30, 40, 5.5, 20, 7});
}
