// Lesson 6: tokens and positions. From a text to rows of numbers, and how a model knows their order. First
// come the functions, in the order of the text, then what the program prints of them.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "distance_scores.h"
#include "headlight/core/check.h"
#include "headlight/core/rng.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "written.h"

using namespace headlight;
using namespace headlight::lesson;
using Words = std::vector<std::string>;

// 1. The words of a text, which stand between spaces.
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

// 2. A row for each token of the vocabulary.
Tensor table() { return tensor({{0, 1, 0}, {2, 0, 1}, {1, 0, 3}, {0, 3, 1}, {1, 2, 0}, {1, 1, 2}}); }

// A row for each token of the first text, with a 1 in the column of its number.
Tensor one_hot_rows() {
  return tensor(
      {{0, 0, 0, 0, 0, 1}, {0, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0}});
}

Tensor embedded(const std::string& text) {
  return embedding(table(), numbers_of(words_of(text), vocabulary()));
}

// 3. What arrives at the table when x̄ arrives at the rows of the first text.
Tensor table_vjp(const Tensor& x_bar) { return matmul(transpose(one_hot_rows()), x_bar); }

// 4. Each row of x is a query, a key and a value.
Tensor attention_of(const Tensor& x) { return scaled_dot_product_attention(x, x, x); }

// 5. A row for each position.
Tensor position_vectors(const std::string& kind, const PositionSizes& sizes) {
  Rng rng(6);
  return nn::positions().find(kind).vectors(sizes, rng);
}

// 6. x, a row of d numbers, turned as Headlight's rotary positions turn it at position p.
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

// ---- What the program prints, section by section ----

double largest_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }
Tensor row(const Tensor& x, int i) { return slice(x, 0, i, i + 1); }

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
  Array raised = table().array();
  raised(5, 0) += 1;
  const double before = dot(embedded(kDogBites), x_bar),
               after = dot(embedding(Tensor(raised), tokens), x_bar);
  say("The loss is {:.0f}. With table[5,0] raised by 1 it is {:.0f}: {:.0f} more.", before, after,
      after - before);
  say("The gradient of the table, by Headlight:");
  show(to_string(parameters.grad(), 0));
  say("Is it the transposed one-hot table times x̄? {}",
      yes(largest_difference(parameters.grad(), table_vjp(x_bar)) == 0));
  pictures.write("adding_up.svg", svg_adding_up(transpose(one_hot_rows()), x_bar, table_vjp(x_bar)));
}

void a_bag(const Pictures& pictures) {
  section("4. Without positions, a sentence is a bag");
  const IntArray exchanged = {0, 4, 2, 3, 1};  // rows 1 and 4 change places
  const Tensor x = embedded(kDogBites), other = embedded(kManBites);
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
  pictures.write("distance.svg", svg_distances(kTrained, kMore));
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
