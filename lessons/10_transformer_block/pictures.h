// The diagrams of lesson 10.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/figure.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

inline constexpr double kBetween = 40;  // between boxes, so that letters are large enough on a telephone

// One part of a block with its norm before it, and below it the same with the norm after the sum.
inline std::string svg_norm_places() {
  return draw::svg_boxes("One part of a block: pre-norm above, post-norm below",
                         {{.name = "x", .note = "the stream", .row = 0},
                          {.name = "norm", .row = 0.8},
                          {.name = "part", .note = "attention or MLP", .row = 0.8},
                          {.name = "+", .row = 0},
                          {.name = "x", .note = "only additions", .row = 0},
                          {.name = "x", .note = "the stream", .row = 2},
                          {.name = "part", .note = "attention or MLP", .row = 2.8},
                          {.name = "+", .row = 2},
                          {.name = "norm", .row = 2},
                          {.name = "x", .note = "normalized", .row = 2}},
                         {{0, 1, ""},
                          {1, 2, ""},
                          {2, 3, ""},
                          {0, 3, ""},
                          {3, 4, ""},
                          {5, 6, ""},
                          {6, 7, ""},
                          {5, 7, ""},
                          {7, 8, ""},
                          {8, 9, ""}},
                         kBetween);
}

// The two stacks of an encoder–decoder. The memory that the encoder makes is read by the decoder.
inline std::string svg_stacks() {
  return draw::svg_boxes("Encoder above, decoder below, with one block each",
                         {{.name = "+ self-attention", .note = "reads a b c\nno mask", .row = 0},
                          {.name = "+ MLP", .row = 0},
                          {.name = "norm", .row = 0},
                          {.name = "memory", .row = 0},
                          {.name = "memory", .note = "keys, values", .row = 1},
                          {.name = "+ self-attention", .note = "reads | c b\ncausal mask", .row = 1.8},
                          {.name = "+ cross-attention", .note = "queries of\nthe decoder", .row = 1.8},
                          {.name = "+ MLP", .row = 1.8},
                          {.name = "final norm", .note = "then the logits\nfor c b a", .row = 1.8}},
                         {{0, 1, ""}, {1, 2, ""}, {2, 3, ""}, {4, 6, ""}, {5, 6, ""}, {6, 7, ""}, {7, 8, ""}},
                         kBetween);
}

// A column of numbers.
inline draw::DrawnMatrix column(const char* before, const char* name, const Tensor& x,
                                draw::CellStyle style = draw::CellStyle::plain) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, reshape(x, {-1, 1}).array(), 2, style);
  matrix.note.clear();
  return matrix;
}

// The numbers of the steps 0, 1, …
inline draw::Series curve(const char* name, const std::vector<double>& numbers) {
  draw::Series series{name, {}, numbers};
  for (std::size_t i = 0; i < numbers.size(); ++i) series.x.push_back(static_cast<double>(i));
  return series;
}

// Patterns along training, and below them the loss and the weight on the answer.
inline std::string svg_forming(const std::vector<draw::Snapshot>& patterns, const draw::Series& loss,
                               const std::vector<draw::Series>& weights) {
  return draw::svg_figure({"An encoder–decoder learns to write words backwards",
                           {"step"},
                           "Head 0 of cross-attention. Row: query, from the top. Column: key",
                           patterns,
                           {{"", {}, {.label = "loss", .first = 0}, {loss}},
                            {"", {}, {.label = "weight on the answer", .first = 0, .last = 1}, weights}}});
}

}  // namespace headlight::lesson
