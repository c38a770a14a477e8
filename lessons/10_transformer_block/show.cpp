// What `./headlight show 10` draws: what the learner's block adds, what the model expects, and words that the
// learner's training can write.
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
#include "headlight/draw/signed_map.h"
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

std::string letter(std::int32_t token) {
  return token == kStart ? std::string("|") : std::string(1, static_cast<char>('a' + token - 1));
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

// One word, which the next two panels read.
Pairs one_word() {
  Rng rng(1011);
  return pairs(1, rng);
}

// What the block of the trained encoder adds to the row of each letter.
show::Drawn with_block(Block block, draw::ColorMode) {
  const EncoderDecoderWeights& w = ours();
  const NoGrad no_grad;  // not before ours() has trained
  const IntArray word = one_word().source;
  const Tensor x = solution::placed(word, w.embedding);
  const Array added = (block(x, w.encoder[0], w.n_heads, 1) - x).array();
  draw::SignedMap map{{}, {}, {}, "What the block adds to each letter", "letter", "coordinate", "", false};
  for (std::size_t i = 0; i < kLength; ++i) {
    map.rows.push_back(letter(word(0, i)));
    map.values.emplace_back();
    for (std::size_t c = 0; c < added.shape()[2]; ++c) map.values[i].emplace_back(added(0, i, c));
  }
  for (std::size_t c = 0; c < added.shape()[2]; ++c) map.columns.push_back(fmt::format("{}", c));
  return {draw::svg_signed_map(map)};
}

// What the model expects, with the teacher. One row for each letter that it reads of the answer.
show::Drawn with_model(decltype(&encoder_decoder) model, draw::ColorMode) {
  const EncoderDecoderWeights& w = ours();
  const NoGrad no_grad;
  const auto [source, answer] = one_word();
  IntArray read = answer;
  for (std::size_t j = 0; j < kLength; ++j) read(0, j) = j == 0 ? kStart : answer(0, j - 1);
  const Array p = softmax(model(source, read, w), -1).array();
  std::string word, text;
  for (std::size_t j = 0; j < kLength; ++j) word += letter(source(0, j));
  draw::SignedMap map{{}, {}, {}, "Probability of each next letter, for " + word, "read", "next letter", ""};
  map.magnitudes = true;
  for (std::size_t j = 0; j < kLength; ++j) {
    map.rows.push_back(letter(read(0, j)));
    map.values.emplace_back();
    for (std::size_t v = 0; v < kTokens; ++v) map.values[j].emplace_back(p(0, j, v));
    text += fmt::format("{} reads {}: {} comes next, {:.2f}\n", word, letter(read(0, j)),
                        letter(answer(0, j)), p(0, j, static_cast<std::size_t>(answer(0, j))));
  }
  for (std::size_t v = 0; v < kTokens; ++v) map.columns.push_back(letter(static_cast<std::int32_t>(v)));
  return {draw::svg_signed_map(map), text};
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
                    "Lesson 10: your block, your model, and what your training writes",
                    {panel("block", &block, &solution::block, with_block),
                     panel("encoder_decoder", &encoder_decoder, &solution::encoder_decoder, with_model),
                     panel("reverse_model", &reverse_model, &solution::reverse_model, with_training)}});
}
