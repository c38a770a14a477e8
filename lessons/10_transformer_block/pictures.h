// The diagrams of lesson 10.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/figure.h"
#include "headlight/ops/ops.h"
#include "printed.h"

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

// The vectors as columns that add up to the last one.
inline std::string svg_stream(const std::vector<NamedVector>& parts, const Tensor& end) {
  std::vector<draw::DrawnMatrix> columns;
  for (const auto& [name, x] : parts)
    columns.push_back(draw::matrix_of(columns.empty() ? "" : "+", name, reshape(x, {-1, 1}).array(), 2));
  columns.push_back(
      draw::matrix_of("=", "stream", reshape(end, {-1, 1}).array(), 2, draw::CellStyle::strong));
  for (draw::DrawnMatrix& column : columns) column.note.clear();
  return draw::svg_matrices("The residual stream of one position", columns);
}

// The numbers of the steps 0, 1, …
inline draw::Series curve(const char* name, const std::vector<double>& numbers) {
  draw::Series series{name, {}, numbers};
  for (std::size_t i = 0; i < numbers.size(); ++i) series.x.push_back(static_cast<double>(i));
  return series;
}

inline std::string svg_gradients(const std::vector<draw::Series>& lengths) {
  return draw::svg_chart({"Before the first step: the gradient of each of 24 blocks",
                          {.label = "block", .first = 0, .last = 24},
                          {.label = "length of the gradient", .first = 0},
                          lengths});
}

inline std::string svg_deep(const std::vector<draw::Series>& losses) {
  return draw::svg_chart(
      {"12 blocks learn, or do not", {"step"}, {.label = "loss", .first = 0, .last = 3}, losses});
}

// Patterns of head 0 along training, the loss, and the weights of both heads on the answer.
struct Forming {
  std::vector<draw::Snapshot> patterns = {};
  draw::Series loss{"loss", {}, {}}, heads[2]{{"head 0", {}, {}}, {"head 1", {}, {}}};

  void add(int step, double of_loss, double of_head_0, double of_head_1) {
    for (const auto& [series, y] :
         {std::pair{&loss, of_loss}, {&heads[0], of_head_0}, {&heads[1], of_head_1}})
      series->x.push_back(step), series->y.push_back(y);
  }
  void keep(int step, const Array& pattern) {
    patterns.push_back({static_cast<double>(step), {pattern, {}, {}, fmt::format("step {}", step)}});
  }
};

inline std::string svg_forming(const Forming& f) {
  return draw::svg_figure(
      {"An encoder–decoder learns to write words backwards",
       {"step"},
       "Head 0 of cross-attention. Row: query, from the top. Column: key",
       f.patterns,
       {{"", {}, {.label = "loss", .first = 0}, {f.loss}},
        {"", {}, {.label = "weight on the answer", .first = 0, .last = 1}, {f.heads[0], f.heads[1]}}}});
}

}  // namespace headlight::lesson
