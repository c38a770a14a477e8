// Training the library's models to write words from their end, and letting them write.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "headlight/autograd/recording.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/softmax.h"
#include "headlight/optim/adam.h"
#include "pairs.h"
#include "progress.h"

namespace headlight::lesson {

// What a model reads and must predict. A target of -1 is none. The source is for an encoder–decoder.
struct Batch {
  IntArray tokens, targets, source = IntArray::from_shape({0});
};
using MakeBatch = std::function<Batch(const Pairs&)>;

// tokens   |  c  b        what stands at each position of the decoder,
// targets  c  b  a        and the letter that comes next
inline Batch for_decoder(const Pairs& pairs) {
  Batch batch{pairs.answer, pairs.answer, pairs.source};
  for (std::size_t i = 0; i < batch.tokens.shape()[0]; ++i)
    for (std::size_t j = 0; j < batch.tokens.shape()[1]; ++j)
      batch.tokens(i, j) = j == 0 ? kStart : pairs.answer(i, j - 1);
  return batch;
}

// tokens   a  b  c  |  c  b        the same in one sequence: the source, then what for_decoder() has
// targets  ·  ·  ·  c  b  a
inline Batch in_one_row(const Pairs& pairs) {
  const Batch answer = for_decoder(pairs);
  const std::size_t count = pairs.source.shape()[0], n = pairs.source.shape()[1];
  Batch batch{IntArray::from_shape({count, 2 * n}), IntArray::from_shape({count, 2 * n})};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      batch.tokens(i, j) = pairs.source(i, j);
      batch.targets(i, j) = -1;
      batch.tokens(i, n + j) = answer.tokens(i, j);
      batch.targets(i, n + j) = answer.targets(i, j);
    }
  return batch;
}

inline Tensor logits_of(const nn::Transformer& model, const Batch& batch, const nn::Hooks& hooks = {}) {
  return model(batch.tokens, hooks, {.source = batch.source});
}

inline Tensor loss_of(const nn::Transformer& model, const Batch& batch, const nn::Hooks& hooks = {}) {
  return cross_entropy(logits_of(model, batch, hooks), batch.targets, {.ignore_index = -1});
}

// The most likely token at each position: logits (B,n,V) → (B,n).
inline IntArray most_likely(const Tensor& logits) {
  const std::size_t tokens = logits.length(2);
  IntArray best = IntArray::from_shape({logits.length(0), logits.length(1)});
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Real* at = logits.array().data() + i * tokens;
    best.data()[i] = static_cast<std::int32_t>(std::max_element(at, at + tokens) - at);
  }
  return best;
}

// The percentage of the targets that are predicted, when the model reads the right letters before them.
inline double percent_given(const nn::Transformer& model, const Batch& batch) {
  const NoGrad no_gradients;
  const IntArray best = most_likely(logits_of(model, batch));
  double right = 0, all = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    right += best.data()[i] == batch.targets.data()[i];
    all += batch.targets.data()[i] >= 0;
  }
  return 100 * right / all;
}

// The same when it reads the letters that it has written itself. Places that are not written yet hold "|".
inline double percent_written(const nn::Transformer& model, const Batch& batch, IntArray* answers = nullptr) {
  const NoGrad no_gradients;
  Batch own = batch;
  IntArray answer = batch.targets;
  const std::size_t n = own.tokens.shape()[1];
  for (std::size_t i = 0; i < own.tokens.shape()[0]; ++i)
    for (std::size_t j = 1; j < n; ++j)
      if (own.targets(i, j - 1) >= 0) own.tokens(i, j) = kStart;
  double right = 0, all = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const IntArray best = most_likely(logits_of(model, own));
    for (std::size_t i = 0; i < own.tokens.shape()[0]; ++i) {
      if (own.targets(i, j) < 0) continue;
      answer(i, j) = best(i, j);
      right += best(i, j) == own.targets(i, j);
      ++all;
      if (j + 1 < n) own.tokens(i, j + 1) = best(i, j);
    }
  }
  if (answers != nullptr) *answers = answer;
  return 100 * right / all;
}

// The percentage of the targets at one position that equal these tokens.
inline double percent_at(const IntArray& tokens, const IntArray& targets, std::size_t position) {
  double right = 0;
  const std::size_t count = targets.shape()[0];
  for (std::size_t i = 0; i < count; ++i) right += tokens(i, position) == targets(i, position);
  return 100 * right / static_cast<double>(count);
}

// `look` is called before each step and at the end.
inline void train(const nn::Transformer& model, const MakeBatch& make, double rate, int steps,
                  const std::function<void(int step, double loss)>& look = {}, const nn::Hooks& hooks = {},
                  std::size_t length = kLength) {
  optim::AdamW optimizer(nn::parameters(model), {.learning_rate = rate, .weight_decay = 0.01});
  Rng words(1);
  Progress progress("training", static_cast<std::size_t>(steps));
  for (int step = 0;; ++step) {
    const Tensor loss = loss_of(model, make(pairs(32, words, length)), hooks);
    if (look) look(step, loss.item());
    if (step == steps) return;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    progress.step();
  }
}

// "c b a"
inline std::string letters(const IntArray& tokens, std::size_t row, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t j = first; j < first + count; ++j)
    text += fmt::format("{}{}", text.empty() ? "" : " ", "|abcdefgh"[tokens(row, j)]);
  return text;
}

}  // namespace headlight::lesson
