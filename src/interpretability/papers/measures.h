// What the papers measure, each defined in its paper's file. A function gives the numbers of rows from what
// was trained, so that a test can call it with answers whose numbers are known.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/draw/figure.h"

namespace headlight::papers {

namespace elhage {
// The smallest and the largest angle between neighbours among the columns of W (2,5), in degrees.
std::vector<double> rows_of(const Array& W);
}  // namespace elhage

namespace olsson {
// What is measured along a training.
struct Curves {
  draw::Series loss, score;  // the mean loss, and the induction score of the head that has the largest
  double best() const { return score.y.back(); }
};
double halfway(const draw::Series& curve);   // where it is first halfway between its first and its last value
double steepest(const draw::Series& curve);  // where it changes most, over 6 of its points
// For each model one training for each seed.
struct Trainings {
  std::vector<Curves> two, one, one_smeared, two_smeared;
};
std::vector<double> rows_of(const Trainings& all);
}  // namespace olsson

namespace vonoswald {
// One linear attention layer, with matrices (d+1,d+1).
struct Weights {
  Array W_Q, W_K, W_V, P;
};
double best_rate();
double error_of_step(double scale);  // of the best step, for inputs uniform on [-scale, scale]
std::vector<double> rows_of(const Weights& layer, std::size_t batches);  // of 10,000 tasks
}  // namespace vonoswald

namespace nanda {
enum Part : std::size_t { trained, held_out };
struct Score {
  double accuracy = 0, loss = 0;  // means; the loss in nats
};
struct Moment {
  double step;
  std::array<Score, 2> of;  // trained and held-out pairs
};
struct Training {
  double weight_decay;
  std::vector<Moment> moments;
  std::vector<double> shares;  // of the frequencies at the end, the largest first

  double learned(Part part) const;  // the first measured step with a loss below 0.1, or else the last
};
std::vector<double> rows_of(const Training& with_decay, const Training& without);
}  // namespace nanda

namespace quirke {
constexpr std::size_t kDigits = 5, kAnswer = kDigits + 1;
struct Question {
  std::array<std::int32_t, kDigits> x, y;  // the highest digit first
};
// In a share of the questions, a share of the columns are made to add up to 9.
struct Nines {
  double questions, columns;
};
std::vector<Question> asked_in(std::size_t part, const Nines& nines);  // 500 questions, others for each part
std::size_t nines_passed(const Question& q);             // how many columns of sum 9 the longest carry passes
std::vector<std::int32_t> tokens_of(const Question& q);  // "12345+67890=080235"

// Questions and wrong answers by the 9s that are passed. An answer is right if all its digits are.
struct Score {
  std::array<double, kDigits> asked{}, wrong{};

  void add(const Question& q, bool right);
  double all_wrong() const;
  double right(std::size_t from, std::size_t to) const;  // the part of the answers
};
std::vector<double> rows_of(const Score& two_layers, const Score& one_layer);
}  // namespace quirke

namespace edelman {
constexpr std::size_t kStates = 2;
enum Strategy : std::size_t { uniform, unigram, bigram };
using Probabilities = std::array<double, kStates>;

// What is known of the letter after a chain, row b of the tokens.
struct Next {
  std::array<Probabilities, 3> strategies;
  double log_truth;  // the expectation of Σ p ln p for the true p, given the chain
};
Next next_of(const IntArray& tokens, std::size_t b);

// Means over chains, in nats.
struct Divergences {
  std::int64_t step = 0;
  std::array<double, 3> of{};  // KL(strategy, model)
  double truth = 0;            // KL(truth, model)
};
// For a model with these logarithms of probabilities.
Divergences divergences(const std::vector<Next>& chains, const std::vector<Probabilities>& logs);
std::vector<double> rows_of(const std::vector<Divergences>& along_training);
}  // namespace edelman

namespace makkuva {
// Two states; p is the probability of 1 after 0, q that of 0 after 1.
struct Chain {
  double p, q;

  double share_of_1() const;    // in the stationary distribution
  double unigram_loss() const;  // the entropy of the stationary distribution
  double entropy_rate() const;
};
}  // namespace makkuva

namespace nichani {
constexpr std::size_t kTokens = 10, kLength = 20, kNodes = kLength - 1;
constexpr double kAlpha = 0.1;
using Probabilities = std::array<double, kTokens>;
using Matrix = std::array<Probabilities, kTokens>;

// The parent of each node is an earlier node, or none. The last position of a sequence asks; it is no node.
constexpr int kNone = -1;
struct Graph {
  std::string name;
  std::array<int, kNodes> parents;

  std::size_t edges() const;
};
Probabilities dirichlet(Rng& rng);  // a row of transitions: a draw of the Dirichlet distribution of kAlpha
Probabilities stationary(Matrix m);
Probabilities bayes_of(const Graph& graph, const std::array<std::size_t, kLength>& tokens);
// Σ p (log bayes - log model): what the model's loss has more than the Bayes loss.
double excess_of(const Probabilities& truth, const Probabilities& bayes, const Probabilities& log_model);
// How many nodes look most at their parent. (n,n)
double parents_found(const Array& pattern, const Graph& graph);
}  // namespace nichani

namespace sanford {
constexpr std::size_t kLetters = 4, kMostHops = 16, kDepths = 3, kRowHops = 4;
constexpr std::size_t kNowhere = kLetters + kMostHops;  // the answer where the hops lead nowhere
using Errors = std::array<double, kRowHops>;            // in percent, for 1 … 4 hops
// Where so many hops lead from each letter of x[1 …], by the letter there. x[0] is no letter.
std::vector<std::int32_t> answers_of(const std::vector<std::int32_t>& x, std::size_t hops);
std::vector<double> rows_of(const std::array<Errors, kDepths>& errors);  // of depth 2, 3 and 4
}  // namespace sanford

namespace musat {
// y = factor · x^exponent, by least squares on the logarithms.
struct PowerLaw {
  double exponent, factor;
  double at(double x) const;
};
PowerLaw fitted(const std::vector<double>& x, const std::vector<double>& y);

// When each of the three parameters has formed: copy, match, look back. 0 until it has.
struct Formation {
  std::array<double, 3> times{};

  bool complete() const;
  double last() const;
  bool in_order() const;
};
struct Model;
double part_inside(const Model& m);  // of the squares of all weights, that in the 19 directions
// The error with all weights 0 outside of the three directions, divided by the error at the start.
double error_of_three(const Model& m, std::size_t pairs);

struct Trained {
  Formation formed;
  double inside, error_of_three;
};
// For contexts of so many pairs, of the three directions alone and of all 19; and of all weights.
std::vector<double> rows_of(const std::vector<double>& pairs, const std::vector<Formation>& alone,
                            const std::vector<Formation>& together, const Trained& all_weights);
}  // namespace musat

}  // namespace headlight::papers
