// The pictures of lesson 14.
#pragma once

#include <string>
#include <vector>

#include "circuit.h"
#include "drawing.h"

namespace headlight::lesson {

inline constexpr const char* kLetters = "abcd";

// A band for each token.
inline std::vector<Band> letters_of(const std::vector<std::int32_t>& tokens) {
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
inline std::string svg_stream(const Weights& w, const std::vector<std::int32_t>& tokens) {
  const std::vector<Band> rows = letters_of(tokens), columns = bands_of(w.stream);
  const Array x = embedded(w, tokens), y = behind(w.layer_0, x);
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
inline std::string svg_patterns(const Array& first, const Array& second, const Array& probabilities,
                                const std::vector<std::int32_t>& tokens) {
  const std::vector<Band> rows = letters_of(tokens);
  CellPage page("Two patterns, and what is said", 18);
  page.line({{"layer 0", first, rows, rows},
             {"layer 1", second, rows, rows},
             {"next", probabilities, rows, letters_of({0, 1, 2, 3})}});
  return page.finish();
}

// A model on two sequences: the pattern of layer 1 and the probabilities of the next token.
struct OnTwo {
  std::string name;
  Array pattern[2], probabilities[2];
};

inline std::string svg_models(const std::vector<OnTwo>& models,
                              const std::vector<std::int32_t> (&tokens)[2]) {
  CellPage page("Layer 1, and the next token: two sequences", 13);
  for (const OnTwo& m : models) {
    std::vector<Cells> line;
    for (const int i : {0, 1}) {
      const std::vector<Band> rows = letters_of(tokens[i]);
      line.push_back({i == 0 ? m.name : "", m.pattern[i], rows, rows});
      line.push_back({"", m.probabilities[i], {}, letters_of({0, 1, 2, 3})});
    }
    page.line(line);
  }
  return page.finish();
}

}  // namespace headlight::lesson
