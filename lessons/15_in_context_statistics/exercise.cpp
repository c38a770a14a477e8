// Exercise 15: walk a chain, predict it in three ways, and measure how far a model is from each.
//
// States are whole numbers 0 … k-1. A walk so far is a std::vector<int>. An Array is a table of numbers:
//   Array p = zeros({n, k}).array();      n rows of k zeros (n and k are std::size_t)
//   p(t, j) = 0.5;                        row t, column j
//   p.shape()[0], p.shape()[1]            n and k
// math::log(x) is the logarithm. It has the same digits on every machine.
#include "exercise.h"
#include "drawn_chain.h"
#include "headlight/core/math.h"

// Part 1 ★  chain_from
// A walk through a chain. Row i of the matrix (k,k) has the probabilities of the states that follow state i.
// The walk begins with `first`. Each number u of `draws`, 0 ≤ u < 1, chooses the next state: put the
// probabilities of the row one after the other on a line from 0 to 1, and take the state in whose piece u
// lies. The piece of state j begins with p_0 + … + p_(j-1), and this beginning belongs to it. A state with
// the probability 0 has no piece. All states in their order are the result, `first` among them.
//   matrix = [[0.25, 0.75], [0.5, 0.5]], first = 0, draws = [0.5, 0.1, 0.25]  →  [0, 1, 0, 1]
//   From 0, u = 0.5 lies in the piece of 1. From 1, u = 0.1 lies in that of 0. From 0, 0.25 begins that of 1.
std::vector<int> chain_from(const Array& matrix, int first, const std::vector<double>& draws) { todo(); }

// Part 2 ★  unigram_prediction
// Letters are drawn independently of each other, by shares that come from the flat prior (lesson, section 3).
// Row t of the result (n,k) is the best possible prediction after tokens[0] … tokens[t].
//   tokens = [0, 1, 0], k = 2  →  [[2/3, 1/3], [1/2, 1/2], [3/5, 2/5]]
Array unigram_prediction(const std::vector<int>& tokens, std::size_t k) { todo(); }

// Part 3 ★★★  context_prediction
// Now the next letter depends on the last `order` letters. Order 1 is the lesson's chain. Order 2 has a row
// of probabilities for each pair of letters, and so on. All rows are drawn independently, from the flat
// prior. Row t of the result (n,k) is again the best possible prediction after tokens[0] … tokens[t]: the
// posterior mean of the row that draws next. While fewer than `order` letters have been read, it is 1/k for
// each.
//   tokens = [0, 1, 0], k = 2, order = 1  →  [[1/2, 1/2], [1/2, 1/2], [1/3, 2/3]]
//   After the last 0: an earlier 0 was followed by 1 once, and by 0 never.
Array context_prediction(const std::vector<int>& tokens, std::size_t k, std::size_t order) { todo(); }

// Part 4 ★★  mean_kl
// p and q (n,k) hold a prediction in each row. The mean over the rows of
//   KL(p, q) = Σ_j p_j log(p_j / q_j)
// Where p_j is 0, the term is 0, whatever q_j is. Where p_j is not 0, q_j is not 0 either.
// kl_divergence() may not be called.
//   p = [[1, 0], [0.5, 0.5]], q = [[0.5, 0.5], [0.5, 0.5]]  →  (log 2 + 0) / 2
double mean_kl(const Array& p, const Array& q) { todo(); }

// Part 5 ★★  distances
// How far a model is from each strategy on a walk. logits (n,k) is what the model computed for it; softmax
// over each row turns them into probabilities. The result has three numbers:
//   mean KL(uniform, model),  mean KL(unigram, model),  mean KL(bigram, model)
// Each mean is over all positions. The smallest says what the model does. Parts 2, 3 and 4 help.
//   tokens = [0], logits = [[0, 0]]  →  [0, 2/3 log(4/3) + 1/3 log(2/3), 0]
std::vector<double> distances(const std::vector<int>& tokens, const Array& logits) { todo(); }

// Part 6 ★★  letters_needed: an experiment of your own
// The lesson's chains have 3 letters. How much longer must one read if there are 6? drawn_chain.h draws a
// chain with its matrix and a walk. The cost of learning after t letters is the mean, over the chains with
// the seeds 0 … 299, of KL(the matrix row of letter t, what part 3 predicts with order 1). Choose three
// values of k or more, from 2 to 8, and measure for each after how many letters the cost is below 0.1 for the
// first time. 300 letters are enough. Write down what you expect before you run it.
//   return {{k, the letters that you predict, the letters that you measured}, …};
std::vector<Trial> letters_needed() { todo(); }
