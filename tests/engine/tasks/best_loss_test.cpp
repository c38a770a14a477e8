// The best possible loss: against all that could have been drawn, enumerated or integrated.
#include <cmath>
#include <map>

#include "catch.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/toy_tasks.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

using Tokens = std::vector<std::int32_t>;
using Odds = std::map<Tokens, double>;  // of whole sequences, and then of their beginnings

Odds of_beginnings(const Odds& whole) {
  Odds all;
  for (const auto& [tokens, probability] : whole)
    for (std::size_t n = 1; n <= tokens.size(); ++n)
      all[Tokens(tokens.begin(), tokens.begin() + static_cast<long>(n))] += probability;
  return all;
}

// P(next | so far) = P(so far, next) / P(so far), for every sequence that can be drawn.
void require_exact(const Task& task, const Odds& whole) {
  const Odds odds = of_beginnings(whole);
  double total = 0, mean = 0;
  for (const auto& [tokens, probability] : whole) {
    total += probability;
    const auto losses = task.best_loss(next_token_sequence(tokens, {}));
    REQUIRE(losses.size() + 1 == tokens.size());
    for (const double loss : losses) mean += probability * loss / static_cast<double>(losses.size());
    Tokens so_far{tokens[0]};
    for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
      const double before = odds.at(so_far);
      so_far.push_back(tokens[t + 1]);
      if (std::abs(losses[t] + std::log(odds.at(so_far) / before)) > 1e-9) {
        CAPTURE(tokens, t, losses[t]);
        FAIL("the loss is not that of the exact odds");
      }
    }
  }
  CHECK(total == Approx(1));
  if (task.best_mean) CHECK(*task.best_mean == Approx(mean).epsilon(1e-9));
}

// All ways to go on with `more` letters of first … last, all different if asked.
void extend(Tokens tokens, std::size_t more, std::int32_t first, std::int32_t last, bool distinct,
            std::vector<Tokens>& all) {
  if (more == 0) return all.push_back(std::move(tokens));
  for (std::int32_t letter = first; letter <= last; ++letter) {
    if (distinct && std::find(tokens.begin(), tokens.end(), letter) != tokens.end()) continue;
    Tokens longer = tokens;
    longer.push_back(letter);
    extend(std::move(longer), more - 1, first, last, distinct, all);
  }
}

std::vector<Tokens> all_of(std::size_t length, std::int32_t first, std::int32_t last, bool distinct) {
  std::vector<Tokens> all;
  extend({}, length, first, last, distinct, all);
  return all;
}

}  // namespace

TEST_CASE("the best loss of repeat is that of all periods and segments", "[tasks]") {
  for (const bool distinct : {true, false}) {
    const Task task =
        make_task({.d_vocab = 5, .n_ctx = 8, .min_segment = 2, .max_segment = 4, .distinct = distinct});
    Odds odds;
    for (std::size_t period = 2; period <= 4; ++period) {
      const auto segments = all_of(period, 0, 4, distinct);
      for (const Tokens& segment : segments) {
        Tokens tokens;
        for (std::size_t t = 0; t < 9; ++t) tokens.push_back(segment[t % period]);
        odds[tokens] += 1.0 / 3 / static_cast<double>(segments.size());
      }
    }
    require_exact(task, odds);
  }
}

TEST_CASE("the best loss of copy is that of all lengths, prefixes and endings", "[tasks]") {
  for (const bool distinct : {true, false}) {
    const Task task = make_task(
        {.name = "copy", .d_vocab = 5, .n_ctx = 8, .min_segment = 3, .max_segment = 4, .distinct = distinct});
    Odds odds;
    for (std::size_t length = 3; length <= 4; ++length) {
      const auto prefixes = all_of(length, 1, 4, distinct), endings = all_of(8 - 2 * length, 1, 4, false);
      for (const Tokens& prefix : prefixes)
        for (const Tokens& ending : endings) {
          Tokens tokens = prefix;
          tokens.push_back(kSeparator);
          tokens.insert(tokens.end(), prefix.begin(), prefix.end());
          tokens.insert(tokens.end(), ending.begin(), ending.end());
          odds[tokens] += 0.5 / static_cast<double>(prefixes.size() * endings.size());
        }
    }
    require_exact(task, odds);
  }
}

TEST_CASE("the best loss of planted is that of all places", "[tasks]") {
  const Task task =
      make_task({.name = "planted", .d_vocab = 3, .n_ctx = 8, .min_segment = 2, .max_segment = 3});
  Odds odds;
  for (const Tokens& tokens : all_of(9, 0, 2, false))
    for (std::size_t length = 2; length <= 3; ++length) {
      std::vector<std::pair<std::size_t, std::size_t>> places;
      for (std::size_t segment = 0; segment < 9; ++segment)
        for (std::size_t copy = segment + length; copy + length <= 9; ++copy)
          places.emplace_back(segment, copy);
      for (const auto& [segment, copy] : places) {
        const auto at = [&](std::size_t place) { return tokens.begin() + static_cast<long>(place); };
        if (std::equal(at(segment), at(segment + length), at(copy)))
          odds[tokens] +=
              0.5 / static_cast<double>(places.size()) * std::pow(3.0, -9.0 + static_cast<double>(length));
      }
    }
  require_exact(task, odds);
}

TEST_CASE("a planted segment stands at every place as often as at any other", "[tasks]") {
  const Task task =
      make_task({.name = "planted", .d_vocab = 50, .n_ctx = 8, .min_segment = 2, .max_segment = 2});
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 4200; ++i) {
    const Sequence s = draw_sequence(task, task.training, Rng(4), i);
    ++seen[s.note];
    for (std::size_t t = 0; t < s.tokens.size(); ++t)
      if (s.predictable[t]) CHECK(s.targets[t] == s.tokens[static_cast<std::size_t>(s.answers[t])]);
  }
  CHECK(seen.size() == 21);                                                    // (5 + 1)(5 + 2)/2
  for (const auto& [places, count] : seen) CHECK(std::abs(count - 200) < 85);  // six standard deviations
}

TEST_CASE("the best loss of triggers is that of all followers", "[tasks]") {
  const Task task = make_task({.name = "triggers", .d_vocab = 5, .n_ctx = 4, .triggers = 2});
  std::map<std::pair<std::int32_t, std::int32_t>, double> bigram;  // known to the best predictor
  for (std::int32_t z = 2; z < 5; ++z) {
    double total = 0;
    for (std::int32_t next = 0; next < 5; ++next)
      total += bigram[{z, next}] = std::exp(-task.best_loss(next_token_sequence({z, next}, {}))[0]);
    CHECK(total == Approx(1));
    CHECK(bigram[{z, 0}] == Approx(0.125));
  }
  Odds odds;
  for (const Tokens& tokens : all_of(5, 0, 4, false))
    for (const Tokens& followers : all_of(2, 2, 4, false)) {
      double probability = tokens[0] >= 2 ? 1.0 / 3 / 9 : 0;
      for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
        const auto z = tokens[t], next = tokens[t + 1];
        probability *= z >= 2 ? bigram[{z, next}] : followers[static_cast<std::size_t>(z)] == next ? 1 : 0;
      }
      if (probability > 0) odds[tokens] += probability;
    }
  require_exact(task, odds);
}

TEST_CASE("triggers are drawn with the odds that its best predictor knows", "[tasks]") {
  const Task task = make_task({.name = "triggers", .d_vocab = 6, .n_ctx = 64, .triggers = 2});
  std::map<std::int32_t, double> seen;
  double of_two = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Sequence s = draw_sequence(task, task.training, Rng(3), i);
    for (std::size_t t = 0; t < 64; ++t)
      if (s.tokens[t] == 2) ++seen[s.targets[t]], ++of_two;
  }
  for (const auto& [next, count] : seen)
    CHECK(count / of_two ==
          Approx(std::exp(-task.best_loss(next_token_sequence({2, next}, {}))[0])).margin(0.03));
}

TEST_CASE("the best loss of markov is that of all matrices", "[tasks]") {
  const Task task = make_task({.name = "markov", .n_ctx = 6, .states = 2});
  // ∫ p^a (1-p)^b dp by Simpson's rule: exact enough for these powers
  const auto integral = [](double a, double b) {
    constexpr int kSteps = 2000;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double p = static_cast<double>(i) / kSteps;
      sum += (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * std::pow(p, a) * std::pow(1 - p, b);
    }
    return sum / (3 * kSteps);
  };
  Odds odds;
  for (const Tokens& tokens : all_of(7, 0, 1, false)) {
    double counts[2][2] = {};
    for (std::size_t t = 0; t < 6; ++t) ++counts[tokens[t]][tokens[t + 1]];
    odds[tokens] = 0.5 * integral(counts[0][0], counts[0][1]) * integral(counts[1][0], counts[1][1]);
  }
  require_exact(task, odds);
}

TEST_CASE("the strategies for Markov chains are as far from the truth as Edelman et al. say", "[tasks]") {
  struct Expected {
    std::size_t k;
    double uniform, unigrams, bigrams;  // KL(truth ‖ strategy) at the last of 100 tokens, in nats
  };
  for (const Expected& e : {Expected{2, .214, .088, .0095}, {3, .280, .169, .027}, {8, .363, .339, .154}}) {
    const Task task = make_task({.name = "markov", .n_ctx = 100, .states = e.k});
    std::vector<double> distance(3, 0.0);
    constexpr int kChains = 600;
    Rng rng(7);
    for (int i = 0; i < kChains; ++i) {
      std::vector<std::vector<double>> matrix(e.k, std::vector<double>(e.k));
      for (auto& row : matrix) {
        double total = 0;
        for (double& p : row) total += p = -std::log(1 - rng.uniform());
        for (double& p : row) p /= total;
      }
      Tokens tokens{static_cast<std::int32_t>(rng.below(e.k))};
      for (int t = 1; t <= 100; ++t) {
        const auto& row = matrix[static_cast<std::size_t>(tokens.back())];
        double left = rng.uniform();
        std::int32_t next = 0;
        while (static_cast<std::size_t>(next) + 1 < e.k && (left -= row[static_cast<std::size_t>(next)]) >= 0)
          ++next;
        tokens.push_back(next);
      }
      const auto& truth = matrix[static_cast<std::size_t>(tokens[99])];
      for (std::size_t y = 0; y < e.k; ++y) {
        tokens[100] = static_cast<std::int32_t>(y);
        const Sequence s = next_token_sequence(tokens, {});
        const double losses[] = {task.references[0].losses(s).back(), task.references[1].losses(s).back(),
                                 task.best_loss(s).back()};
        for (std::size_t j = 0; j < 3; ++j)
          if (truth[y] > 0) distance[j] += truth[y] * (std::log(truth[y]) + losses[j]) / kChains;
      }
    }
    INFO(e.k << " states");
    CHECK(distance[0] == Approx(e.uniform).margin(0.025));
    CHECK(distance[1] == Approx(e.unigrams).margin(0.02));
    CHECK(distance[2] == Approx(e.bigrams).margin(0.006));
  }
}

TEST_CASE("chains are drawn so that their best loss is that of drawn chains", "[tasks]") {
  const Task task = make_task({.name = "markov", .n_ctx = 100, .states = 2});
  double uniform = 0, unigrams = 0, bigrams = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Sequence s = draw_sequence(task, task.training, Rng(5), i);
    const auto of_uniform = task.references[0].losses(s), of_unigrams = task.references[1].losses(s),
               of_bigrams = task.best_loss(s);
    for (std::size_t t = 0; t < 100; ++t) {
      uniform += of_uniform[t] / 30000;
      unigrams += of_unigrams[t] / 30000;
      bigrams += of_bigrams[t] / 30000;
    }
  }
  CHECK(uniform == Approx(0.693).margin(0.001));  // Edelman et al.: mean losses of the strategies, k = 2
  CHECK(unigrams == Approx(0.576).margin(0.03));
  CHECK(bigrams == Approx(0.509).margin(0.03));
}

TEST_CASE("what follows from the tokens so far has a best loss of 0", "[tasks]") {
  for (const std::string name :
       {"reverse", "sort", "recall", "mqar", "khop", "histogram", "parity", "addition", "brackets"}) {
    INFO(name);
    const Task task = make_task({.name = name});
    const Sequence s = draw_sequence(task, task.training, Rng(1), 0);
    CHECK(s.predictable.empty());
    CHECK(task.best_loss(s) == std::vector<double>(s.targets.size(), 0.0));
    CHECK(task.sees_ahead == (name != "reverse" && name != "sort"));
  }
}
