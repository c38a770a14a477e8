// What letters_right_after() of few_words.h does. Only check.cpp includes it.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "few_words.h"
#include "reversal.h"

namespace headlight {

// So many different words.
inline Pairs different_words(std::size_t count, Rng& rng) {
  Pairs words{IntArray::from_shape({count, kLength}), IntArray::from_shape({count, kLength})};
  std::set<std::vector<std::int32_t>> seen;
  while (seen.size() < count) {
    const Pairs one = pairs(1, rng);
    const std::size_t i = seen.size();
    if (!seen.insert({one.source.begin(), one.source.end()}).second) continue;
    for (std::size_t j = 0; j < kLength; ++j)
      words.source(i, j) = one.source(0, j), words.answer(i, j) = one.answer(0, j);
  }
  return words;
}

double letters_right_after(std::size_t count) {
  static std::map<std::size_t, double> known;
  if (known.contains(count)) return known[count];
  Rng drawing(1), rng(2), fresh(3);
  const nn::Transformer model({.architecture = nn::Architecture::encoder_decoder,
                               .n_layers = 1,
                               .d_model = 32,
                               .n_heads = 2,
                               .d_mlp = 64,
                               .d_vocab = kTokens,
                               .n_ctx = kLength,
                               .n_source = kLength,
                               .positions = "learned",
                               .mlp = "relu"},
                              drawing);
  const Pairs words = different_words(count, rng);
  optim::AdamW optimizer(nn::parameters(model), {.learning_rate = 0.005, .weight_decay = 0.01});
  for (int step = 0; step < 150; ++step) {
    Pairs batch{IntArray::from_shape({32, kLength}), IntArray::from_shape({32, kLength})};
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t word = rng.below(count);
      for (std::size_t j = 0; j < kLength; ++j)
        batch.source(i, j) = words.source(word, j), batch.answer(i, j) = words.answer(word, j);
    }
    optimizer.zero_grad();
    lesson::loss_of(model, lesson::for_decoder(batch)).backward();
    optimizer.step();
  }
  return known[count] = lesson::percent_written(model, lesson::for_decoder(pairs(100, fresh)));
}

}  // namespace headlight
