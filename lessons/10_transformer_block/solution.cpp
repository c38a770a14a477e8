// Lesson 10, solved: the transformer block, and the models that are made of it.
#include "06_tokens_and_positions/kept.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "08_multi_head_attention/kept.h"
#include "exercise.h"
#include "few_words.h"
#include "headlight/optim/adam.h"
#include "pairs.h"
#include "weights.h"

Tensor perceptron(const Tensor& x, const MlpWeights& w) {
  return linear(relu(linear(x, w.W_in, w.b_in)), w.W_out, w.b_out);
}

Tensor block(const Tensor& x, const BlockWeights& w, std::size_t n_heads, const Tensor& mask) {
  const Tensor read = normed(x, w.norm_1);
  const Tensor middle = x + lesson_08::multi_head_attention(read, read, w.attention, n_heads, mask);
  return middle + perceptron(normed(middle, w.norm_2), w.mlp);
}

Tensor placed(const IntArray& tokens, const Tensor& embedding) {
  const Tensor rows = lesson_06::embed(embedding, tokens);
  return rows + lesson_06::sinusoidal_table(rows.length(1), rows.length(2));
}

Tensor causal_model(const IntArray& tokens, const CausalModelWeights& w) {
  Tensor x = placed(tokens, w.embedding);
  for (const BlockWeights& each : w.blocks)
    x = block(x, each, w.n_heads, lesson_07::causal_mask_of(x.length(1), x.length(1)));
  return matmul(normed(x, w.final_norm), w.unembedding);
}

Tensor decoder_block(const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t n_heads,
                     const Tensor& mask) {
  const Tensor read = normed(x, w.norm_1);
  const Tensor looked = x + lesson_08::multi_head_attention(read, read, w.attention, n_heads, mask);
  const Tensor asking = normed(looked, w.norm_cross);
  const Tensor middle = looked + lesson_08::multi_head_attention(asking, memory, w.cross, n_heads, 1);
  return middle + perceptron(normed(middle, w.norm_2), w.mlp);
}

Tensor encoder_decoder(const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
  Tensor memory = placed(source, w.embedding), x = placed(tokens, w.embedding);
  for (const BlockWeights& each : w.encoder) memory = block(memory, each, w.n_heads, 1);
  memory = normed(memory, w.encoder_norm);
  const Tensor mask = lesson_07::causal_mask_of(x.length(1), x.length(1));
  for (const DecoderBlockWeights& each : w.decoder) x = decoder_block(x, memory, each, w.n_heads, mask);
  return matmul(normed(x, w.final_norm), w.unembedding);
}

Tensor answer_loss(const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
  IntArray read = answer;
  for (std::size_t i = 0; i < read.shape()[0]; ++i)
    for (std::size_t j = 0; j < read.shape()[1]; ++j) read(i, j) = j == 0 ? kStart : answer(i, j - 1);
  return cross_entropy(encoder_decoder(source, read, w), answer);
}

void reverse_model(const EncoderDecoderWeights& w, Rng& rng) {
  optim::AdamW optimizer(nn::parameters(w), {.learning_rate = 0.003});
  for (int step = 0; step < 400; ++step) {
    const Pairs batch = pairs(64, rng);
    optimizer.zero_grad();
    answer_loss(batch.source, batch.answer, w).backward();
    optimizer.step();
  }
}

// The predictions: the more words, the more it learns by heart, and of other words it knows little.
std::vector<Trial> few_words_trials() {
  return {{8, 20, letters_right_after(8)},
          {64, 30, letters_right_after(64)},
          {512, 60, letters_right_after(512)}};
}
