// What `./headlight show 10` draws: words that models write with the learner's functions.
#include "show.h"

#include <fmt/core.h>

#include "06_tokens_and_positions/kept.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "08_multi_head_attention/crowd.h"
#include "08_multi_head_attention/kept.h"
#include "exercise.h"
#include "few_words_training.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/draw/diagram.h"
#include "headlight/optim/adam.h"
#include "pairs.h"
#include "weights.h"

Tensor block(const Tensor& x, const BlockWeights& w, std::size_t n_heads, const Tensor& mask);
Tensor encoder_decoder(const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w);
void reverse_model(const EncoderDecoderWeights& w, Rng& rng);

namespace solution {
namespace lesson_06 {
#include "06_tokens_and_positions/solution.cpp"
}
namespace lesson_07 {
#include "07_scaled_dot_product_attention/solution.cpp"
}
namespace lesson_08 {
#include "08_multi_head_attention/solution.cpp"
}
#include "solution.cpp"
}  // namespace solution

namespace {

using Block = decltype(&block);
using Model = std::function<Tensor(const IntArray& source, const IntArray& tokens)>;
using Train = decltype(&reverse_model);

constexpr std::size_t kWords = 5;

Pairs fresh_words() {
  Rng rng(1010);
  return pairs(kWords, rng);
}

// What the model writes, letter by letter: at each place the most likely token.
IntArray written_by(const Model& model, const Pairs& words) {
  const NoGrad no_grad;
  IntArray read = words.answer, answer = words.answer;
  std::fill(read.begin(), read.end(), kStart);
  for (std::size_t j = 0; j < kLength; ++j) {
    const IntArray best = lesson::most_likely(model(words.source, read));
    for (std::size_t i = 0; i < kWords; ++i) {
      answer(i, j) = best(i, j);
      if (j + 1 < kLength) read(i, j + 1) = best(i, j);
    }
  }
  return answer;
}

// The words, and what was written of each; right letters are emphasised.
show::Drawn drawn(const std::string& title, const Model& model) {
  const Pairs words = fresh_words();
  const IntArray answer = written_by(model, words);
  const auto letter = [](std::int32_t token) {
    return token == kStart ? std::string("|") : std::string(1, static_cast<char>('a' + token - 1));
  };
  draw::DrawnMatrix read{"", "word", {}, ""}, written{"→", "written", {}, ""};
  std::string text;
  std::size_t right = 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    read.rows.emplace_back(), written.rows.emplace_back();
    std::string before, after;
    for (std::size_t j = 0; j < kLength; ++j) {
      const bool is_right = answer(i, j) == words.answer(i, j);
      right += is_right;
      read.rows[i].push_back({letter(words.source(i, j))});
      written.rows[i].push_back(
          {letter(answer(i, j)), is_right ? draw::CellStyle::strong : draw::CellStyle::plain});
      before += letter(words.source(i, j)), after += letter(answer(i, j));
    }
    text += before + " → " + after + "\n";
  }
  written.note = fmt::format("{} of {} letters right", right, kWords * kLength);
  return {draw::svg_matrices(title, {read, written}), text + written.note + "\n"};
}

EncoderDecoderWeights trained_by(Train train) {
  Rng rng(7);
  EncoderDecoderWeights w = Draw(32, 64, rng).encoder_decoder(kTokens, 2, 1);
  train(w, rng);
  return w;
}

const EncoderDecoderWeights& ours() {
  static const EncoderDecoderWeights w = trained_by(&solution::reverse_model);
  return w;
}

// The encoder is made of this block, and the rest of the model is ours.
show::Drawn with_block(Block each_block, draw::ColorMode) {
  const EncoderDecoderWeights& w = ours();
  return drawn("Written with the block in the encoder", [&w, each_block](const IntArray& source,
                                                                         const IntArray& tokens) {
    Tensor memory = solution::placed(source, w.embedding), x = solution::placed(tokens, w.embedding);
    for (const BlockWeights& each : w.encoder) memory = each_block(memory, each, w.n_heads, 1);
    memory = normed(memory, w.encoder_norm);
    const Tensor mask = solution::lesson_07::causal_mask_of(kLength, kLength);
    for (const DecoderBlockWeights& each : w.decoder)
      x = solution::decoder_block(x, memory, each, w.n_heads, mask);
    return matmul(normed(x, w.final_norm), w.unembedding);
  });
}

show::Drawn with_model(decltype(&encoder_decoder) model, draw::ColorMode) {
  const EncoderDecoderWeights& w = ours();
  return drawn("Written by the model", [&w, model](const IntArray& source, const IntArray& tokens) {
    return model(source, tokens, w);
  });
}

show::Drawn with_training(Train train, draw::ColorMode) {
  const EncoderDecoderWeights w = train == &solution::reverse_model ? ours() : trained_by(train);
  return drawn("Written after the training", [w](const IntArray& source, const IntArray& tokens) {
    return solution::encoder_decoder(source, tokens, w);
  });
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  return show::run(argc, argv,
                   {"words",
                    "Lesson 10: words that your block's model writes from their end",
                    {panel("block", &block, &solution::block, with_block),
                     panel("encoder_decoder", &encoder_decoder, &solution::encoder_decoder, with_model),
                     panel("reverse_model", &reverse_model, &solution::reverse_model, with_training)}});
}
