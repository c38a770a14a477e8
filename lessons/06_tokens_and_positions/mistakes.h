// What people write for embed and embed_vjp, and what is wrong with it.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::slips_of;

inline constexpr const char *kTable = "The embedding, a table of rows",
                            *kTwice = "The backward pass: a token that occurs twice";

using Embed = std::function<Tensor(const Tensor&, const IntArray&)>;
using EmbedVjp = std::function<Tensor(const Tensor&, const IntArray&, std::size_t)>;

// The row of the table for the token at place k.
inline std::size_t row_for(const Made& made, const IntArray& tokens, std::size_t k, std::size_t rows) {
  if (made("first-token-for-all")) k = 0;
  const int token = tokens.data()[k] + (made("tokens-from-1") ? -1 : made("next-token") ? 1 : 0);
  const std::size_t row = made("place-for-token") ? k : static_cast<std::size_t>(token);
  if (token < 0 || row >= rows) throw Error("An index is out of range.");
  return row;
}

// How many tokens are used: from the first one on.
inline std::size_t tokens_used(const Made& made, const IntArray& tokens) {
  const std::size_t all = made("first-axis-only") ? tokens.shape()[0] : tokens.size();
  return all - (made("last-token-left-out") ? 1 : 0);
}

inline Tensor embedded_with(const Made& made, const Tensor& table, const IntArray& tokens) {
  Array one_hot(Shape{tokens.size(), table.length(0)}, 0.0);
  for (std::size_t k = made("first-token-left-out") ? 1 : 0; k < tokens_used(made, tokens); ++k)
    one_hot(k, row_for(made, tokens, k, table.length(0))) = 1;
  Tensor rows = matmul(Tensor(one_hot), made("columns-for-rows") ? transpose(table) : table);
  if (made("first-axis-only") && made("axes-lost"))
    rows = slice(rows, 0, 0, static_cast<int>(tokens_used(made, tokens)));
  if (made("times-root-d")) rows = rows * std::sqrt(static_cast<double>(table.length(1)));
  if (made("off-the-tape")) rows = Tensor(rows.array());
  if (made("transposed-and-reshaped")) rows = transpose(rows);
  Shape shape = tokens.shape();
  shape.push_back(made("columns-for-rows") ? table.length(0) : table.length(1));
  return made("axes-lost") ? rows : reshape_to(rows, shape);
}

inline const std::vector<grader::Slip> kSlipsOfEmbed = {
    {"off-the-tape",
     "Your numbers are right, and no gradient reaches the table: you copied its rows through an Array. A "
     "Tensor made from an Array is a constant, and the tape ends there. Let an op read the table: a "
     "matrix product with one-hot rows, or slices of the table.",
     kTwice},
    {"axes-lost",
     "Your rows are right, but all in one list. The result has the axes of the tokens and then d: give it "
     "that shape at the end.",
     kTable},
    {"columns-for-rows",
     "You took columns of the table, as its transpose does. The table (V,d) has a row for each token of "
     "the vocabulary.",
     kTable},
    {"place-for-token",
     "You took row k of the table for the token at place k. The row is given by the token's number, "
     "tokens.data()[k].",
     kTable},
    {"first-token-for-all", "Every place has the row of the first token. Place k has tokens.data()[k].",
     kTable},
    {"tokens-from-1", "You took row token - 1. Tokens count from 0 as rows do, so token 0 has row 0.",
     kTable},
    {"next-token", "You took row token + 1. Token 0 has row 0.", kTable},
    {"times-root-d",
     "You multiplied the rows by √d, as the paper on sinusoidal positions does. Here the rows are asked "
     "for as they stand in the table.",
     kTable},
    {"first-axis-only",
     "You counted tokens.shape()[0] tokens. With two axes of tokens, that is the number of texts: the "
     "other rows stay 0. tokens.size() counts all tokens.",
     kTable},
    {"first-token-left-out", "You left out the first token. Count places from 0.", kTable},
    {"last-token-left-out", "You left out the last token. Loop over all places.", kTable},
    {"transposed-and-reshaped",
     "You made a table with a column for each token and reshaped it to rows. A reshape keeps the order in "
     "memory, so the numbers of different tokens get mixed. Multiply one-hot · table, in this order.",
     kTable}};

inline std::vector<Mistake<Embed>> of_embed() { return slips_of<Embed>(embedded_with, kSlipsOfEmbed); }

// As a learner writes it for one axis of tokens. With more axes, an index is counted in the last ones.
inline void add_as_a_matrix(const Made& made, Array& sums, const Tensor& g, const IntArray& tokens) {
  for (std::size_t k = 0; k < g.length(0); ++k)
    for (std::size_t c = 0; c < g.length(-1); ++c) {
      const double arrives = g.array()(k, c);
      sums(tokens(k), c) = made("overwritten") ? arrives : sums(tokens(k), c) + arrives;
    }
}

inline void add_rows_of(const Made& made, Array& sums, const Tensor& g, const IntArray& tokens) {
  const std::size_t width = g.length(-1), d = sums.shape()[1];
  for (std::size_t k = made("first-token-left-out") ? 1 : 0; k < tokens_used(made, tokens); ++k) {
    const std::size_t row = row_for(made, tokens, k, sums.shape()[0]),
                      from = made("g-of-the-token")   ? static_cast<std::size_t>(tokens.data()[k])
                             : made("first-row-of-g") ? 0
                                                      : k;
    for (std::size_t c = made("first-column-left-out") ? 1 : 0;
         c < d - (made("last-column-left-out") ? 1 : 0); ++c) {
      const std::size_t column = made("first-column-of-g") ? 0 : c;
      const std::size_t at = made("k-plus-c")           ? from + column
                             : made("column-by-column") ? column * tokens.size() + from
                             : made("k-times-vocabulary")
                                 ? from * sums.shape()[0] + column
                                 : from * (made("d-from-axis-1") ? d : width) + column;
      if (at >= g.size() || row + c >= sums.size()) throw Error("An index is out of range.");
      const double arrives = g.array().data()[at];
      double& sum = made("token-plus-c") ? sums.data()[row + c] : sums(row, c);
      sum = made("overwritten") ? arrives : made("subtracted") ? sum - arrives : sum + arrives;
    }
  }
}

inline Tensor embed_back(const Made& made, const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  if (made("g-as-it-came")) return g * 1;
  if (made("rows-up-to-the-largest-token"))
    vocabulary = static_cast<std::size_t>(*std::max_element(tokens.begin(), tokens.end())) + 1;
  if (made("rows-for-tokens")) vocabulary = std::max(vocabulary, tokens.size());
  const std::size_t d = made("d-from-axis-1") ? std::min(g.length(1), g.length(-1)) : g.length(-1);
  Array sums(Shape{vocabulary, d}, 0.0);
  if (made("indexed-as-a-matrix"))
    add_as_a_matrix(made, sums, g, tokens);
  else
    add_rows_of(made, sums, g, tokens);
  for (std::size_t t = 0; t < vocabulary && made("mean-of-occurrences"); ++t) {
    const auto count = std::count(tokens.begin(), tokens.end(), static_cast<int>(t));
    for (std::size_t c = 0; c < d && count > 0; ++c) sums(t, c) /= static_cast<double>(count);
  }
  Tensor x(sums);
  if (made("divided-by-the-tokens")) x = x / tokens.size();
  return made("transposed") ? transpose(x) : x;
}

inline const std::vector<grader::Slip> kSlipsOfEmbedVjp = {
    {"overwritten",
     "You wrote `=` where `+=` belongs. A token that occurs twice copied its row to two places, and what "
     "arrives at both places adds up.",
     kTwice},
    {"subtracted", "You subtracted what arrives. It adds up.", kTwice},
    {"mean-of-occurrences",
     "You took the mean over the places of a token. The transpose of copying is a sum: nothing divides "
     "it.",
     kTwice},
    {"place-for-token",
     "You added row k of g to row k of the table. It belongs to the row of the token at place k, "
     "tokens.data()[k].",
     kTwice},
    {"g-of-the-token",
     "You took the row of g that the token's number says. Place k has row k of g; the token says where "
     "in the table it is added.",
     kTwice},
    {"k-plus-c",
     "You took number k + c of g. Each place has d numbers, so column c of place k is number k * d + c.",
     kTwice},
    {"k-times-vocabulary",
     "You took number k * vocabulary + c of g. Each place has d numbers, so column c of place k is number "
     "k * d + c.",
     kTwice},
    {"column-by-column",
     "You counted the numbers of g column by column. They stand row by row: column c of place k is number "
     "k * d + c.",
     kTwice},
    {"token-plus-c",
     "You added to number token + c of the table. Each row has d numbers, so it is number token * d + c.",
     kTwice},
    {"first-column-left-out", "The first column of your result stays 0. Count columns from 0.", kTwice},
    {"last-column-left-out", "The last column of your result stays 0. There are d columns.", kTwice},
    {"first-row-of-g", "You added the first row of g each time. Place k has row k of g.", kTwice},
    {"first-column-of-g", "You added the first column of g to all columns. Column c has its own.", kTwice},
    {"first-token-for-all",
     "You added every row to the row of the first token. Place k belongs to tokens.data()[k].", kTwice},
    {"tokens-from-1", "You took row token - 1. Tokens count from 0 as rows do, so token 0 has row 0.",
     kTwice},
    {"next-token", "You took row token + 1. Token 0 has row 0.", kTwice},
    {"g-as-it-came",
     "You returned g as it came. The cotangent of the table has the shape of the table, (vocabulary,d).",
     kTwice},
    {"rows-up-to-the-largest-token",
     "Your result ends with the row of the largest token that occurs. The table has a row for each token "
     "of the vocabulary, and those that do not occur get zeros.",
     kTwice},
    {"rows-for-tokens", "Your result has a row for each token. The table has `vocabulary` rows.", kTwice},
    {"divided-by-the-tokens",
     "You divided by the number of tokens. If the loss is a mean, its 1/n is in g already.", kTwice},
    {"transposed",
     "You returned the transpose, (d,vocabulary). The cotangent has the shape of the table, "
     "(vocabulary,d).",
     kTwice},
    {"first-axis-only",
     "You stopped after tokens.shape()[0] tokens, or g.length(0) rows. With two axes of tokens, that is "
     "the number of texts. tokens.size() counts all tokens.",
     kTwice},
    {"first-token-left-out", "You left out the first token. Count places from 0.", kTwice},
    {"last-token-left-out", "You left out the last token. Loop over all places.", kTwice},
    {"indexed-as-a-matrix",
     "You looped over g.length(0) rows, with tokens(k) or g.array()(k, c). That is right for one axis of "
     "tokens. With two, g.length(0) is the number of texts, and a missing index counts as 0. Loop k over "
     "tokens.size(), with tokens.data()[k] and g.array().data()[k * d + c].",
     kTwice},
    {"d-from-axis-1",
     "You took d from axis 1 of g. That is the last axis only if the tokens have a single axis: "
     "g.length(-1) is d for any tokens.",
     kTwice}};

inline std::vector<Mistake<EmbedVjp>> of_embed_vjp() {
  return slips_of<EmbedVjp>(embed_back, kSlipsOfEmbedVjp);
}

}  // namespace mistakes
