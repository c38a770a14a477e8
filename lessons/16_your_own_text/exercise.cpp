// Exercise 16: hold a part of a text out, count, copy, and choose the next token.
//
// Tokens are whole numbers 0 … V-1. math::log(x) and math::exp(x) have the same digits on every machine.
#include <vector>

#include "exercise.h"
#include "headlight/core/math.h"
#include "name_tokens.h"

// Part 1 ★  training_starts
// A text has n tokens, 0 … n-1. Tokens first … last, both included, are held out; they may lie anywhere in
// it. A window that starts at s has the inputs s … s+n_ctx-1 and the targets s+1 … s+n_ctx. Return in rising
// order every s that is a multiple of `stride` (0, stride, 2·stride, …), such that all tokens of the window,
// inputs and targets, are in the text and none is held out. No s: an empty vector.
//   n = 12, n_ctx = 2, stride = 1, first = 5, last = 6  →  [0, 1, 2, 7, 8, 9]
//   The window at 2 reads tokens 2 and 3, and its last target is token 4.
std::vector<std::size_t> training_starts(std::size_t n, std::size_t n_ctx, std::size_t stride,
                                         std::size_t first, std::size_t last) {
  todo();
}

// Part 2 ★★★  ngram_loss
// Counting runs of n tokens, as in the lesson's section 2. `training` alone is counted. For a context h (n-1
// tokens or fewer):
//   count(hb)  how often b came right after h;   count(h)  the sum of count(hb) over all b
//   kinds(h)   how many different b came right after h
//   P(b | h) = (count(hb) + kinds(h) · P(b | h')) / (count(h) + kinds(h))
// h' is h without its first token. The empty context has every token after it, and instead of P(b | h') it
// takes 1/V. A context with count(h) = 0 gives P(b | h').
// The result is the mean of -log P over all tokens of held_out. The context of a token is the n-1 tokens
// before it in held_out, or as many as there are: the first token has the empty context.
//   training = [0, 1, 0], held_out = [1, 0], V = 2, n = 2
//   empty context: P(0) = (2 + 2·1/2)/(3 + 2) = 3/5, P(1) = 2/5
//   after 1: P(0 | 1) = (1 + 1·3/5)/(1 + 1) = 4/5             →  (-log 2/5 - log 4/5) / 2
double ngram_loss(const std::vector<int>& training, const std::vector<int>& held_out, std::size_t V,
                  std::size_t n) {
  todo();
}

// Part 3 ★★  copied
// What a copy of the longest earlier match predicts. At position t one sees the tokens of the last n_ctx
// positions, t-n_ctx+1 … t, as far as they exist. The last k of them end at t. Take the largest k for which
// the same k tokens also end at an earlier position j < t; all k of them must be seen too. The two places may
// overlap. Of several such j take the latest. Entry t of the result is the token at j+1. If not even the last
// token was seen earlier, it is -1.
//   tokens = [0, 1, 2, 0, 1], n_ctx = 5  →  [-1, -1, -1, 1, 2]
//   At the last position 0 1 ended at j = 1 too, and 2 followed. With n_ctx = 4 only 1 is seen there: j = 1,
//   the same prediction; with n_ctx = 3 nothing is: -1.
std::vector<int> copied(const std::vector<int>& tokens, std::size_t n_ctx) { todo(); }

// Part 4 ★★  probabilities
// With which probability each token is written next. Of the logits only the top_k largest count; of equal
// ones the token with the smaller number counts as larger. top_k = 0: all count. Those that count get the
// softmax of logits / temperature over these tokens; the others get 0. At temperature 0 the token with the
// largest logit gets 1. Logits may be large, such as 1000, and top_k is never larger than their number.
//   logits = [0, log 2, log 2], temperature = 0.5, top_k = 0  →  [1/9, 4/9, 4/9]
std::vector<double> probabilities(const std::vector<double>& logits, double temperature, std::size_t top_k) {
  todo();
}

// Part 5 ★★  only_a_copy: an experiment of your own
// How long should the names of a text be, so that a copy tells most that counting pairs does not? name_tokens
// makes a text whose names have that many letters. Count pairs in its first nine tenths, tokens 0 … N-1 with
// N = 9·size/10, rounded down, where size is the number of tokens that it gives. The prediction by pairs
// after a token is the token that most often came right after it there; of several such tokens the one with
// the smallest number. Both tokens of a pair must be among 0 … N-1. (Each token of our texts stands there.)
// Measure at the positions t = N … size-2, whose target is token t+1: for how many per cent of them is
// copied(tokens, 32) right at t and the prediction by pairs wrong? The context of 32 may reach back before N.
// Choose three lengths or more, from 2 to 30, and write down what you expect before you run it.
//   return {{length, the per cent that you predict, the per cent that you measured}, …};
std::vector<Trial> only_a_copy() { todo(); }
