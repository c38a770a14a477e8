// Lesson 6: tokens and positions. From a text to rows of numbers, and how a model knows their order.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/rng.h"
#include "headlight/draw/figure.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "written.h"

using namespace headlight;
using namespace headlight::lesson;
using nn::PositionSizes;
using Words = std::vector<std::string>;

double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }
double largest_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }
Tensor row(const Tensor& x, int i) { return slice(x, 0, i, i + 1); }

Words words_of(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// All different tokens, sorted. The number of a token is its place.
Words vocabulary_of(const Words& tokens) {
  const std::set<std::string> different(tokens.begin(), tokens.end());
  return {different.begin(), different.end()};
}

IntArray numbers_of(const Words& tokens, const Words& vocabulary) {
  IntArray numbers = IntArray::from_shape({tokens.size()});
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto place = std::find(vocabulary.begin(), vocabulary.end(), tokens[i]);
    check(place != vocabulary.end(), "the vocabulary has no token '{}'.", tokens[i]);
    numbers(i) = static_cast<int>(place - vocabulary.begin());
  }
  return numbers;
}

const std::string kDogBites = "the dog bit the man", kManBites = "the man bit the dog";

Words vocabulary() { return vocabulary_of(words_of(kDogBites + " " + kManBites + " a cat")); }

void tokens_of_a_text() {
  section("1. Tokens and a vocabulary");
  const Words tokens = words_of(kDogBites);
  say("The vocabulary:");
  for (std::size_t i = 0; i < vocabulary().size(); ++i) say("  {}  {}", i, vocabulary()[i]);
  say("{}   {}", kDogBites, written(numbers_of(tokens, vocabulary())));
  say("{}   {}", kManBites, written(numbers_of(words_of(kManBites), vocabulary())));
  show_refusal([] { numbers_of(words_of("the bird bit the man"), vocabulary()); });
  Words letters;
  for (const char letter : kDogBites) letters.push_back(std::string(1, letter));
  say("\nThe first text by words:               {:>2} tokens, {:>2} of them different", tokens.size(),
      vocabulary_of(tokens).size());
  say("The first text by letters and spaces:  {:>2} tokens, {:>2} of them different", letters.size(),
      vocabulary_of(letters).size());
}

// A row for each token of the vocabulary.
Tensor table() { return tensor({{0, 1, 0}, {2, 0, 1}, {1, 0, 3}, {0, 3, 1}, {1, 2, 0}, {1, 1, 2}}); }

// A row for each token of the first text, with a 1 in the column of its number.
Tensor one_hot_rows() {
  return tensor(
      {{0, 0, 0, 0, 0, 1}, {0, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0}});
}

void embedding_of_tokens(const Pictures& pictures) {
  section("2. The embedding, a table of rows");
  const IntArray tokens = numbers_of(words_of(kDogBites), vocabulary());
  const Tensor x = embedding(table(), tokens), product = matmul(one_hot_rows(), table());
  say("The rows of the table for the tokens {}:", written(tokens));
  show(to_string(x, 0));
  say("Is the one-hot table times the embedding the same? {}", yes(largest_difference(x, product) == 0));
  pictures.write("one_hot.svg", svg_one_hot(one_hot_rows(), table(), product));
}

void embedding_backward(const Pictures& pictures) {
  section("3. The backward pass: a token that occurs twice");
  const IntArray tokens = numbers_of(words_of(kDogBites), vocabulary());
  const Tensor x_bar =
      tensor({{1, 2, 3}, {10, 20, 30}, {100, 200, 300}, {1000, 2000, 3000}, {10000, 20000, 30000}});
  const Tensor parameters = parameter(table());
  sum(embedding(parameters, tokens) * x_bar).backward();
  const Tensor by_transpose = matmul(transpose(one_hot_rows()), x_bar);
  Array raised = table().array();
  raised(5, 0) += 1;
  const double before = dot(embedding(table(), tokens), x_bar),
               after = dot(embedding(Tensor(raised), tokens), x_bar);
  say("The loss is {:.0f}. With table[5,0] raised by 1 it is {:.0f}: {:.0f} more.", before, after,
      after - before);
  say("The gradient of the table, by Headlight:");
  show(to_string(parameters.grad(), 0));
  say("Is it the transposed one-hot table times x̄? {}",
      yes(largest_difference(parameters.grad(), by_transpose) == 0));
  pictures.write("adding_up.svg", svg_adding_up(transpose(one_hot_rows()), x_bar, by_transpose));
}

// Each row of x is a query, a key and a value.
Tensor attention_of(const Tensor& x) { return scaled_dot_product_attention(x, x, x); }

void a_bag(const Pictures& pictures) {
  section("4. Without positions, a sentence is a bag");
  const IntArray exchanged = {0, 4, 2, 3, 1};  // rows 1 and 4 change places
  const Tensor x = embedding(table(), numbers_of(words_of(kDogBites), vocabulary()));
  const Tensor other = embedding(table(), numbers_of(words_of(kManBites), vocabulary()));
  say("The output of the attention for the word dog:");
  say("  in '{}'   {}", kDogBites, written(row(attention_of(x), 1)));
  say("  in '{}'   {}", kManBites, written(row(attention_of(other), 4)));
  const Tensor moved = embedding(attention_of(x), exchanged);
  say("With rows 1 and 4 exchanged, are all outputs of the two the same? {}",
      yes(largest_difference(attention_of(other), moved) < 1e-12));

  Rng rng(6);
  const Tensor places = randn({5, 3}, rng), placed = x + places, other_placed = other + places;
  say("\nWith a vector for each position added to the rows first:");
  say("  in '{}'   {}", kDogBites, written(row(attention_of(placed), 1)));
  say("  in '{}'   {}", kManBites, written(row(attention_of(other_placed), 4)));
  say("With rows 1 and 4 exchanged, the outputs now differ by up to {:.2f}.",
      largest_difference(attention_of(other_placed), embedding(attention_of(placed), exchanged)));
  pictures.write("bag.svg",
                 svg_bag({{words_of(kDogBites), attention_of(x), attention_of(placed)},
                          {words_of(kManBites), attention_of(other), attention_of(other_placed)}}));
}

Tensor position_vectors(const std::string& kind, const PositionSizes& sizes) {
  Rng rng(6);
  return nn::positions().find(kind).vectors(sizes, rng);
}

void vectors_for_positions(const Pictures& pictures) {
  section("5. A vector for each position");
  // The library's rows have length 1; the formula's are √(d/2) = 2 times as long.
  const Tensor waves = 2 * position_vectors("sinusoidal", {.n_ctx = 128, .d_model = 8});
  say("Rows of the sinusoidal table, d = 8:");
  for (int p : {0, 1, 10, 100}) say("  position {:>3}   {}", p, written(row(waves, p), 3));
  const Tensor learned = position_vectors("learned", {.n_ctx = 128, .d_model = 8});
  say("\nThe dot product of two rows      sinusoidal   learned, before any step");
  for (int shift : {0, 10, 100})
    say("  positions {:>3} and {:>3}          {:>12.6f}   {:>9.4f}", 3 + shift, 7 + shift,
        dot(row(waves, 3 + shift), row(waves, 7 + shift)),
        dot(row(learned, 3 + shift), row(learned, 7 + shift)));
  pictures.write("clocks.svg", svg_clocks(waves, {1, 10, 100}));
}

// x, a row of d numbers, turned as Headlight's rotary positions turn it at position p.
Tensor turned(const Tensor& x, std::size_t p) {
  const auto turn = nn::positions().find("rotary").rotation({.n_ctx = 1024, .d_head = x.size()});
  return reshape_to(turn(reshape(x, {1, 1, -1}), p), x.shape());
}

// Attention among rows x (1,n,d) that stand at positions first, first + 1, …
Tensor rotary_attention(const Tensor& x, std::size_t first, bool turn_values) {
  const auto turn = nn::positions().find("rotary").rotation({.n_ctx = 1024, .d_head = x.length(2)});
  const Tensor q = turn(x, first), k = turn(x, first), v = turn_values ? turn(x, first) : x;
  return scaled_dot_product_attention(q, k, v);
}

void rotary_positions(const Pictures& pictures) {
  section("6. Rotary positions");
  const Tensor q = tensor({1, 2, 0, 1}), k = tensor({2, 0, 1, 1});
  say("[1, 1, 0, 0] turned:");
  for (std::size_t p : {0, 1, 100}) say("  position {:>3}   {}", p, written(turned(tensor({1, 1, 0, 0}), p)));
  say("\nq = {}, k = {}. Query at, key at, and their dot product:", written(q, 0), written(k, 0));
  for (const auto& [i, j] : {std::pair{5, 5}, {5, 2}, {15, 12}, {905, 902}, {2, 5}})
    say("  {:>3}   {:>3}   {:>9.6f}", i, j, dot(turned(q, i), turned(k, j)));

  Rng rng(6);
  const Tensor x = randn({1, 5, 8}, rng);
  say("\nFive tokens at positions 0 to 4, or at 100 to 104. The outputs of the attention differ by");
  for (const bool values : {false, true}) {
    const double difference =
        largest_difference(rotary_attention(x, 0, values), rotary_attention(x, 100, values));
    say("  {:<31}   {}", values ? "queries, keys and values turned" : "queries and keys turned",
        difference < 1e-12 ? "less than 1e-12" : fmt::format("up to {:.2f}", difference));
  }
  const Tensor leaf = parameter(q), g = tensor({1, 2, 3, 4});
  sum(turned(leaf, 7) * g).backward();
  say("\nAt position 7 the cotangent {} arrives, and {} leaves.", written(g, 0), written(leaf.grad()));
  say("Turned by the positive angles, that is {}.", written(turned(leaf.grad(), 7)));
  pictures.write("turned.svg", svg_turned(12, 4, {0, 10, 100}));
}

// What a kind of positions adds to the scores: a row for each head, a column for each distance. `numbers` are
// the learned ones, if the kind has such.
Tensor bias_of(const std::string& kind, const PositionSizes& sizes, const Tensor& numbers = {}) {
  return nn::positions().find(kind).bias(sizes)(numbers).values;
}

void numbers_for_distances() {
  section("7. A number for each distance");
  const Tensor alibi = bias_of("alibi", {.n_ctx = 5, .n_heads = 4});
  say("ALiBi, 4 heads: the slopes, and the weights of keys at distances 0 to 4 with equal scores");
  for (int head = 0; head < 4; ++head)
    say("  head {}   1/{:<3.0f}   {}", head, -1 / alibi.array()(head, 1),
        written(softmax(row(alibi, head)), 3));
  const Tensor counted = reshape(arange(32), {1, 32});  // 0, 1, 2, … shows which number a distance takes
  const Tensor buckets = bias_of("t5", {.n_ctx = 200, .n_heads = 1, .max_distance = 128}, counted);
  std::string first = "0";
  for (int t = 1; t < 200; ++t)
    if (buckets.array()(0, t) != buckets.array()(0, t - 1)) first += fmt::format(" {}", t);
  say("\nT5: the first distance of each of its 32 numbers");
  say("  {}", first);
}

// The score of a query at position i for a key at position j that comes from their positions alone.
using Score = std::function<double(std::size_t i, std::size_t j)>;

Score score_of(const std::string& name, std::size_t n_ctx, std::size_t head = 0) {
  const nn::Positions& kind = nn::positions().find(name);
  const PositionSizes sizes{
      .n_ctx = n_ctx, .d_model = 64, .n_heads = 4, .d_head = 64, .max_distance = name == "t5" ? 128u : 32u};
  Rng rng(6);
  if (kind.vectors)
    return [rows = kind.vectors(sizes, rng)](std::size_t i, std::size_t j) {
      const auto at = [&](std::size_t p) { return embedding(rows, IntArray{static_cast<int>(p)}); };
      return dot(at(i), at(j));
    };
  if (kind.rotation)
    return [turn = kind.rotation(sizes)](std::size_t i, std::size_t j) {
      const Tensor unit = full({1, 1, 64}, 1 / 8.0);  // of length 1
      return dot(turn(unit, i), turn(unit, j));
    };
  Tensor numbers;
  if (kind.rel_bias) numbers = randn(kind.rel_bias(sizes, rng).shape(), rng);
  return [head, bias = bias_of(name, sizes, numbers)](std::size_t i, std::size_t j) {
    return bias.array()(head, std::min(i - j, bias.length(1) - 1));
  };
}

// The score of the query at position `from` for all keys before it, against their distance.
draw::Series curve(const std::string& name, const Score& score, std::size_t from, std::size_t most = 100) {
  draw::Series series{name, {}, {}};
  for (std::size_t t = 0; t <= std::min(from, most); ++t) {
    series.x.push_back(static_cast<double>(t));
    series.y.push_back(score(from, from - t));
  }
  return series;
}

void score_against_distance(const Pictures& pictures) {
  section("8. Score against distance");
  constexpr std::size_t kTrained = 64, kMore = 128;
  say("              distance 4,   distance 4,   distance 100,");
  say("              40 and 36     60 and 56     100 and 0");
  for (const char* kind : {"learned", "sinusoidal", "rotary", "alibi", "relative", "t5"}) {
    const bool learned = kind == std::string("learned");
    const Score score = score_of(kind, learned ? kTrained : kMore);
    say("  {:<10}  {:>11.4f}   {:>11.4f}   {:>13}", kind, score(40, 36), score(60, 56),
        learned ? "no row" : fmt::format("{:.4f}", score(100, 0)));
  }
  say("\nThe learned table has rows 0 to 63. Position 100:");
  show_refusal([] { score_of("learned", kTrained)(100, 0); });

  const Score learned = score_of("learned", kTrained), rotary = score_of("rotary", kMore);
  const Score back_8 = [&](std::size_t i, std::size_t j) { return rotary(i - 8, j); };
  std::vector<draw::Series> alibi;
  for (std::size_t head = 0; head < 4; ++head)
    alibi.push_back(curve(fmt::format("head {}", head), score_of("alibi", kMore, head), 100));
  pictures.write(
      "distance.svg",
      svg_distances(
          {chart_of("learned", {curve("query at 63", learned, 63), curve("query at 40", learned, 40)}),
           chart_of("sinusoidal", {curve("any query", score_of("sinusoidal", kMore), 100)}),
           chart_of("rotary", {curve("q = k", rotary, 110), curve("q turned back by 8", back_8, 110)}),
           chart_of("ALiBi", alibi),
           chart_of("relative", {curve("every distance", score_of("relative", kMore), 100),
                                 curve("T5's buckets", score_of("t5", kMore), 100)})}));
}

int main(int argc, char** argv) {
  return run(argc, argv, "06_tokens_and_positions", [](const Pictures& pictures) {
    say("Lesson 6: tokens and positions");
    tokens_of_a_text();
    embedding_of_tokens(pictures);
    embedding_backward(pictures);
    a_bag(pictures);
    vectors_for_positions(pictures);
    rotary_positions(pictures);
    numbers_for_distances();
    score_against_distance(pictures);
  });
}
