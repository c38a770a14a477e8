// What people write for embed and embed_vjp, and what is wrong with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kTable = "The embedding, a table of rows",
                            *kTwice = "The backward pass: a token that occurs twice";

using Embed = Tensor (*)(const Tensor&, const IntArray&);
using EmbedVjp = Tensor (*)(const Tensor&, const IntArray&, std::size_t);

// Zeros (tokens,V), and a 1 in each of the first `rows` rows at the column of its token plus `shift`.
inline Tensor one_hot_of(const IntArray& tokens, std::size_t vocabulary, std::size_t rows, int shift = 0) {
  Array one_hot(Shape{tokens.size(), vocabulary}, 0.0);
  for (std::size_t k = 0; k < rows; ++k) {
    const int column = tokens.data()[k] + shift;
    if (column < 0) throw Error("Index -1 is out of range.");
    one_hot(k, column) = 1;
  }
  return Tensor(one_hot);
}

inline Tensor in_the_shape_of(const Tensor& rows, const IntArray& tokens) {
  Shape shape = tokens.shape();
  shape.push_back(rows.length(-1));
  return reshape_to(rows, shape);
}

inline Tensor row_of_each_place(const Tensor& table, const IntArray& tokens) {
  if (tokens.size() > table.length(0)) throw Error("An index is out of range.");
  return in_the_shape_of(slice(table, 0, 0, static_cast<int>(tokens.size())), tokens);
}

inline const std::vector<Mistake<Embed>> kOfEmbed = {
    {"off-the-tape",
     "Your numbers are right, and no gradient reaches the table: you copied its rows through an Array. A "
     "Tensor made from an Array is a constant, and the tape ends there. Let an op read the table: a matrix "
     "product with one-hot rows, or slices of the table.",
     kTwice,
     [](const Tensor& table, const IntArray& tokens) {
       return Tensor(solution::embed(table, tokens).array());
     }},
    {"off-the-tape-and-axes-lost",
     "You copied rows through an Array. A Tensor made from an Array is a constant, and the tape ends there: "
     "no gradient reaches the table. Let an op read it: a matrix product with one-hot rows, or slices. "
     "Besides, tokens of several axes need a result with the same axes and then d.",
     kTwice,
     [](const Tensor& table, const IntArray& tokens) {
       const Tensor rows = matmul(one_hot_of(tokens, table.length(0), tokens.size()), table);
       return Tensor(rows.array());
     }},
    {"off-the-tape-and-first-axis-only",
     "You copied rows through an Array. A Tensor made from an Array is a constant, and the tape ends there: "
     "no gradient reaches the table. Let an op read it: a matrix product with one-hot rows, or slices. "
     "Besides, tokens.shape()[0] counts all tokens only if they have one axis: use tokens.size().",
     kTwice,
     [](const Tensor& table, const IntArray& tokens) {
       const Tensor rows = matmul(one_hot_of(tokens, table.length(0), tokens.shape()[0]), table);
       return Tensor(slice(rows, 0, 0, static_cast<int>(tokens.shape()[0])).array());
     }},
    {"axes-lost",
     "Your rows are right, but all in one list. The result has the axes of the tokens and then d: give it "
     "that shape at the end.",
     kTable,
     [](const Tensor& table, const IntArray& tokens) {
       return matmul(one_hot_of(tokens, table.length(0), tokens.size()), table);
     }},
    {"columns-for-rows",
     "You took columns of the table, as its transpose does. The table (V,d) has a row for each token of the "
     "vocabulary.",
     kTable,
     [](const Tensor& table, const IntArray& tokens) {
       return in_the_shape_of(matmul(one_hot_of(tokens, table.length(0), tokens.size()), transpose(table)),
                              tokens);
     }},
    {"place-for-token",
     "You took row k of the table for the token at place k. The row is given by the token's number, "
     "tokens.data()[k].",
     kTable, row_of_each_place},
    {"tokens-from-1", "You took row token - 1. Tokens count from 0 as rows do, so token 0 has row 0.", kTable,
     [](const Tensor& table, const IntArray& tokens) {
       return in_the_shape_of(matmul(one_hot_of(tokens, table.length(0), tokens.size(), -1), table), tokens);
     }},
    {"times-root-d",
     "You multiplied the rows by √d, as the paper on sinusoidal positions does. Here the rows are asked for "
     "as they stand in the table.",
     kTable,
     [](const Tensor& table, const IntArray& tokens) {
       return solution::embed(table, tokens) * std::sqrt(static_cast<double>(table.length(1)));
     }},
    {"first-axis-only",
     "You counted tokens.shape()[0] tokens. With two axes of tokens, that is the number of texts: the "
     "other rows stay 0. tokens.size() counts all tokens.",
     kTable,
     [](const Tensor& table, const IntArray& tokens) {
       return in_the_shape_of(matmul(one_hot_of(tokens, table.length(0), tokens.shape()[0]), table), tokens);
     }},
    {"transposed-and-reshaped",
     "You made a table with a column for each token and reshaped it to rows. A reshape keeps the order in "
     "memory, so the numbers of different tokens get mixed. Multiply one-hot · table, in this order.",
     kTable,
     [](const Tensor& table, const IntArray& tokens) {
       Shape shape = tokens.shape();
       shape.push_back(table.length(1));
       const Tensor columns = transpose(matmul(one_hot_of(tokens, table.length(0), tokens.size()), table));
       return reshape_to(columns, shape);
     }},
};

// Zeros (V,d); `use` gets the row of a token in them, its row of g, and d.
template <class Use>
Tensor each_token(const Tensor& g, const IntArray& tokens, std::size_t vocabulary, std::size_t most,
                  Use use) {
  const std::size_t d = g.length(-1);
  Array sums(Shape{vocabulary, d}, 0.0);
  for (std::size_t k = 0; k < most; ++k)
    use(sums.data() + static_cast<std::size_t>(tokens.data()[k]) * d, g.array().data() + k * d, d);
  return Tensor(sums);
}

inline Tensor overwritten(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  return each_token(g, tokens, vocabulary, tokens.size(),
                    [](double* sum, const double* row, std::size_t d) { std::copy_n(row, d, sum); });
}

inline Tensor mean_of_occurrences(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  Array means = solution::embed_vjp(g, tokens, vocabulary).array();
  const std::size_t d = g.length(-1);
  for (std::size_t t = 0; t < vocabulary; ++t) {
    const auto count = std::count(tokens.begin(), tokens.end(), static_cast<int>(t));
    for (std::size_t c = 0; c < d && count > 0; ++c) means(t, c) /= static_cast<double>(count);
  }
  return Tensor(means);
}

inline Tensor to_the_row_of_its_place(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  if (tokens.size() > vocabulary) throw Error("An index is out of range.");
  Array sums(Shape{vocabulary, g.length(-1)}, 0.0);
  std::copy_n(g.array().data(), g.size(), sums.data());
  return Tensor(sums);
}

inline Tensor up_to_the_largest(const Tensor& g, const IntArray& tokens, std::size_t) {
  const int largest = *std::max_element(tokens.begin(), tokens.end());
  return solution::embed_vjp(g, tokens, static_cast<std::size_t>(largest) + 1);
}

inline Tensor d_from_axis_1(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  const std::size_t d = std::min(g.length(1), g.length(-1));
  Array sums(Shape{vocabulary, d}, 0.0);
  for (std::size_t k = 0; k < tokens.size(); ++k)
    for (std::size_t c = 0; c < d; ++c) sums(tokens.data()[k], c) += g.array().data()[k * d + c];
  return Tensor(sums);
}

// As a learner writes it for one axis of tokens. With more axes, an index is counted in the last ones.
inline Tensor indexed_as_a_matrix(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  Array sums(Shape{vocabulary, g.length(-1)}, 0.0);
  for (std::size_t k = 0; k < g.length(0); ++k)
    for (std::size_t c = 0; c < g.length(-1); ++c) sums(tokens(k), c) += g.array()(k, c);
  return Tensor(sums);
}

inline const std::vector<Mistake<EmbedVjp>> kOfEmbedVjp = {
    {"overwritten",
     "You wrote `=` where `+=` belongs. A token that occurs twice copied its row to two places, and what "
     "arrives at both places adds up.",
     kTwice, overwritten},
    {"mean-of-occurrences",
     "You took the mean over the places of a token. The transpose of copying is a sum: nothing divides it.",
     kTwice, mean_of_occurrences},
    {"row-of-the-place",
     "You added row k of g to row k of the table. It belongs to the row of the token at place k, "
     "tokens.data()[k].",
     kTwice, to_the_row_of_its_place},
    {"g-as-it-came",
     "You returned g as it came. The cotangent of the table has the shape of the table, (vocabulary,d).",
     kTwice, [](const Tensor& g, const IntArray&, std::size_t) { return g * 1; }},
    {"rows-up-to-the-largest-token",
     "Your result ends with the row of the largest token that occurs. The table has a row for each token of "
     "the vocabulary, and those that do not occur get zeros.",
     kTwice, up_to_the_largest},
    {"divided-by-the-tokens",
     "You divided by the number of tokens. If the loss is a mean, its 1/n is in g already.", kTwice,
     [](const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
       return solution::embed_vjp(g, tokens, vocabulary) / tokens.size();
     }},
    {"transposed",
     "You returned the transpose, (d,vocabulary). The cotangent has the shape of the table, (vocabulary,d).",
     kTwice,
     [](const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
       return transpose(solution::embed_vjp(g, tokens, vocabulary));
     }},
    {"first-axis-only",
     "You stopped after tokens.shape()[0] tokens, or g.length(0) rows. With two axes of tokens, that is the "
     "number of texts. tokens.size() counts all tokens.",
     kTwice,
     [](const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
       return each_token(g, tokens, vocabulary, tokens.shape()[0],
                         [](double* sum, const double* row, std::size_t d) {
                           for (std::size_t c = 0; c < d; ++c) sum[c] += row[c];
                         });
     }},
    {"indexed-as-a-matrix",
     "You looped over g.length(0) rows, with tokens(k) or g.array()(k, c). That is right for one axis of "
     "tokens. With two, g.length(0) is the number of texts, and a missing index counts as 0. Loop k over "
     "tokens.size(), with tokens.data()[k] and g.array().data()[k * d + c].",
     kTwice, indexed_as_a_matrix},
    {"axis-1-for-the-last",
     "You took d from axis 1 of g. That is the last axis only if the tokens have a single axis: "
     "g.length(-1) is d for any tokens.",
     kTwice, d_from_axis_1},
};

}  // namespace mistakes
