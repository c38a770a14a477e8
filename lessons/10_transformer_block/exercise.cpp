// Exercise 10: the transformer block, the models that are made of it, and one that you train.
//
// What you wrote in earlier lessons is at hand, once you have solved them; before that it is our solution:
//   lesson_06::embed(table, tokens)                 table (V,d), tokens (B,n) → (B,n,d)
//   lesson_06::sinusoidal_table(n, d)               the positions 0 … n-1 → (n,d)
//   lesson_07::causal_mask_of(n, n)                 (n,n), 1 where a query may look, 0 where it may not
//   lesson_08::multi_head_attention(x, source, w, n_heads, mask)
//       queries of x (B,n,d), keys and values of source (B,m,d) → (B,n,d); write 1 for the mask that allows
//       everything
// and of the library:
//   normed(x, w)                                    the layer norm of each row of x, with w.w and w.b
//   linear(x, W, b), relu(x), matmul(x, W)          as in lesson 4
//   cross_entropy(logits, targets)                  the mean over all targets
// (Your layer norm of lesson 5 may compute with the numbers of an Array. Then no gradient could pass it, so
// here it is the library's.)
//
// lessons/10_transformer_block/weights.h has the structs: a norm has w and b, an attention W_Q, W_K, W_V and
// W_O, an MLP W_in, b_in, W_out and b_out. The grader compares results and the gradients of all weights.
#include "exercise.h"
#include "06_tokens_and_positions/kept.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "08_multi_head_attention/kept.h"
#include "few_words.h"
#include "headlight/optim/adam.h"
#include "pairs.h"
#include "weights.h"

// Part 1 ★★  block
// A block with its norms before its parts:
//   x ← x + attention(norm_1(x))
//   x ← x + MLP(norm_2(x))                MLP(y) = relu(y W_in + b_in) W_out + b_out
// x (B,n,d), mask as above → (B,n,d). The weights are w.norm_1, w.attention, w.norm_2 and w.mlp.
//   One position, d = 2, one head, W_V = [[1, 0], [0, 1]] and W_O = [[-2, 0], [0, -2]] in the attention,
//   W_in = [[0], [1]], W_out = [[0, 5]], biases 0, norms with w = 1 and b = 0:
//   x = [[[3, 1]]]  →  + [-2, 2] = [1, 3]  →  + [0, 5] = [[[1, 8]]]
//   A norm makes [1, -1] of [3, 1], and [-1, 1] of [1, 3]. Its eps, which is 1e-5, moves the fifth decimal.
Tensor block(const Tensor& x, const BlockWeights& w, std::size_t n_heads, const Tensor& mask) { todo(); }

// Part 2 ★★  causal_model
// tokens (B,n) → logits (B,n,V): the rows of w.embedding, plus the sinusoidal positions; all of w.blocks in
// turn, each under the causal mask, with w.n_heads heads; w.final_norm; times w.unembedding.
//   Without blocks, embedding = [[1, 0.5], [0, 1]], unembedding = [[1, 0], [0, 1]], norm w = 1 and b = 0:
//   tokens = [[0]]  →  [1, 0.5] + [0, 1] = [1, 1.5]  →  [[[-1, 1]]]    (eps moves the fourth decimal)
Tensor causal_model(const IntArray& tokens, const CausalModelWeights& w) { todo(); }

// Part 3 ★★  decoder_block
// The block of part 1 with cross-attention between its two parts:
//   x ← x + attention(norm_1(x))     x ← x + cross(norm_cross(x), memory)     x ← x + MLP(norm_2(x))
// cross has the weights w.cross, queries of x, keys and values of the memory (B,m,d). The memory is used as
// it comes, without a norm, and every query may look at all of it. The mask is that of the first part.
//   One position, as in part 1, but W_V and W_O of both attentions [[1, 0], [0, 1]], W_in = [[0], [1]] and
//   W_out = [[5, 0]]. Eps moves the fifth decimal.
//   x = [[[3, 1]]], memory = [[[0, 8]]]  →  + [1, -1] = [4, 0]  →  + [0, 8] = [4, 8]  →  [[[9, 8]]]
Tensor decoder_block(const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t n_heads,
                     const Tensor& mask) {
  todo();
}

// Part 4 ★★★  encoder_decoder
// source (B,m) and tokens (B,n) → logits (B,n,V).
//   memory: the source embedded with its positions, through all of w.encoder without a mask,
//           then w.encoder_norm
//   x:      the tokens embedded with theirs, from position 0 too, through all of w.decoder
//           with the memory and the causal mask, then w.final_norm, times w.unembedding
// Both are embedded by w.embedding and have w.n_heads heads.
//   Without blocks in encoder and decoder the source does not matter, and the result is that of part 2.
Tensor encoder_decoder(const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
  todo();
}

// Part 5 ★★  answer_loss
// The loss of teacher forcing. The model of part 4 is to write the answer (B,n) of a source. It reads the
// sign kStart, then the answer without its last letter; at each of these n positions it must predict the next
// letter of the answer. Return the cross-entropy. An IntArray is copied and filled number by number:
//   IntArray read = answer;   read(i, j) = kStart;   with read.shape()[0] rows and read.shape()[1] columns
//   With unembedding = 0 all tokens are equally likely:  log of the number of tokens
Tensor answer_loss(const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) { todo(); }

// Part 6 ★★  reverse_model
// Train the model that w holds until it writes words from their end. pairs(count, rng) draws that many random
// words of 6 letters: .source, and its .answer. The grader calls your function for two models, and lets each
// write the answers of 200 fresh words, letter by letter. 99 % of the letters must be right. The weights in w
// are drawn already. nn::parameters(w) lists them, as optimizers want them. Steps, batch and rate are up to
// you. Something that works: optim::AdamW with the rate 0.003, 400 steps, 64 pairs a step.
void reverse_model(const EncoderDecoderWeights& w, Rng& rng) { todo(); }

// Part 7 ★  few_words_trials
// An experiment of your own. There are 262,144 different words of six letters. In part 6 nearly every word of
// the training is new. How many words must a model have seen, to write words that it has not seen?
// letters_right_after(words) trains the lesson's model on so many words, again and again, and returns how
// many per cent of the letters of fresh words it then writes right; few_words.h says more. Choose three or
// more numbers of words from 1 to 4096. For each, first write down the per cent that you predict, then
// measure. Return a Trial for each: {{words, predicted, measured}, …}. A prediction need not be right.
std::vector<Trial> few_words_trials() { todo(); }
