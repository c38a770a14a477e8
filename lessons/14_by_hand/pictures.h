// The pictures of lesson 14.
#pragma once

#include <string>
#include <vector>

#include "circuit.h"
#include "drawing.h"
#include "headlight/draw/chart.h"
#include "headlight/interpret/hooks.h"
#include "headlight/nn/by_hand.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using Tokens = std::vector<std::int32_t>;

inline constexpr std::size_t kV = 4, kT = 8;  // of the small model
inline constexpr const char* kLetters = "abcd";
inline const Tokens kSequence = {1, 3, 0, 2, 1, 3, 0, 2};  // b d a c b d a c

// The softmax of each row of logits (n,V).
inline Array probabilities_of(const Array& logits) { return softmax(Tensor(logits)).array(); }

// A band for each token.
inline std::vector<Band> letters_of(const Tokens& tokens) {
  std::vector<Band> bands;
  for (const std::int32_t token : tokens) bands.push_back({std::string(1, kLetters[token]), 1});
  return bands;
}

inline std::vector<Band> bands_of(const Stream& s) {
  return {{"token", s.token.size},
          {"before", s.before.size},
          {"output", s.output.size},
          {"position", s.position.size}};
}

// The stream in front of the layers, between them and behind them.
inline std::string svg_stream(const Weights& w) {
  const std::vector<Band> rows = letters_of(kSequence), columns = bands_of(w.stream);
  const Array x = embedded(w, kSequence), y = behind(w.layer_0, x);
  CellPage page("The residual stream: a row for each position", 17);
  page.line({{"tokens and positions", x, rows, columns}});
  page.line({{"behind layer 0", y, rows, columns}});
  page.line({{"behind layer 1", behind(w.layer_1, y), rows, columns}});
  return page.finish();
}

// The four matrices of a head.
inline std::string svg_head(const std::string& title, const Weights& w, const Head& head) {
  const std::vector<Band> stream = bands_of(w.stream),
                          own = {{"tokens", head.tokens.size}, {"positions", head.positions.size}};
  CellPage page(title, 14);
  page.line({{"W_Q", head.W_Q, stream, own, true}, {"W_K", head.W_K, stream, own, true}});
  page.line({{"W_V", head.W_V, stream, own, true}, {"W_O", head.W_O, own, stream, true}});
  return page.finish();
}

// The patterns of both heads, and the probabilities of the next token.
inline std::string svg_patterns(const Weights& w, const Array& logits) {
  const std::vector<Band> rows = letters_of(kSequence);
  const Array x = embedded(w, kSequence), y = behind(w.layer_0, x);
  CellPage page("Two patterns, and what is said", 18);
  page.line({{"layer 0", pattern(w.layer_0[0], x), rows, rows},
             {"layer 1", pattern(w.layer_1[0], y), rows, rows},
             {"next", probabilities_of(logits), rows, letters_of({0, 1, 2, 3})}});
  return page.finish();
}

// What two heads with this S do: mean weights, and the accuracy of predictable tokens.
struct AtSharpness {
  double sharp, before, follower, accuracy;
};

inline std::string svg_sharpness(const std::vector<AtSharpness>& all) {
  draw::Series before{"on the token before", {}, {}}, follower{"on the follower", {}, {}},
      accuracy{"accuracy", {}, {}};
  for (const AtSharpness& at : all) {
    if (at.sharp > 10) continue;
    for (draw::Series* line : {&before, &follower, &accuracy}) line->x.push_back(at.sharp);
    before.y.push_back(at.before), follower.y.push_back(at.follower), accuracy.y.push_back(at.accuracy);
  }
  return draw::svg_chart({"Small factors blur both heads",
                          {.label = "S", .first = 0, .last = 10},
                          {.label = "weight, or accuracy", .first = 0, .last = 1},
                          {before, follower, accuracy}});
}

// A small model of the library on one sequence: the pattern of layer 1 and the probabilities of the next
// token.
inline std::pair<Array, Array> pattern_and_next(const nn::Transformer& model, const Tokens& tokens) {
  IntArray batch = IntArray::from_shape({1, kT});
  std::copy(tokens.begin(), tokens.end(), batch.begin());
  const interpret::CachedRun run = interpret::run_with_cache(model, batch);
  return {reshape(Tensor(run.cache[interpret::pattern_name(1)]), {kT, kT}).array(),
          probabilities_of(reshape(Tensor(run.logits), {kT, kV}).array())};
}

// Four models on two sequences.
inline std::string svg_models() {
  using enum nn::Broken;
  CellPage page("Layer 1, and the next token: two sequences", 13);
  for (const auto& [name, broken] : {std::pair{"whole", nothing},
                                     {"no copying", copying},
                                     {"no matching", matching},
                                     {"position only", position_only}}) {
    nn::InductionByHand options{.d_vocab = kV, .n_ctx = kT, .n_heads = 1, .broken = broken};
    if (broken == position_only) options.offset = 3;
    const nn::Transformer model = nn::induction_by_hand(options);
    std::vector<Cells> line;
    for (const Tokens& tokens : {kSequence, {1, 3, 0, 1, 3, 0, 1, 3}}) {
      const std::vector<Band> rows = letters_of(tokens);
      const auto [looks, next] = pattern_and_next(model, tokens);
      line.push_back({line.empty() ? name : "", looks, rows, rows});
      line.push_back({"", next, {}, letters_of({0, 1, 2, 3})});
    }
    page.line(line);
  }
  return page.finish();
}

}  // namespace headlight::lesson
