// Lesson 14: the weights of an induction transformer, set by hand, and what the certificate says of them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "certified.h"
#include "exact.h"
#include "headlight/draw/chart.h"
#include "headlight/interpret/circuits.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/nn/by_hand.h"
#include "headlight/ops/ops.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "lesson_program.h"
#include "pictures.h"
#include "transformer.h"

using namespace headlight;
using namespace headlight::lesson;
using Tokens = std::vector<std::int32_t>;

const Tokens kSequence = {1, 3, 0, 2, 1, 3, 0, 2};  // b d a c b d a c
constexpr std::size_t kV = 4, kT = 8;               // of the small model
constexpr std::size_t kFull = 32;                   // both sizes of the large one

// "0 1 0 0", the coordinates of a subspace, in multiples of the unit.
std::string coordinates(const Array& x, std::size_t row, const Subspace& s, double unit = 1) {
  std::string line;
  for (std::size_t i = 0; i < s.size; ++i)
    line += fmt::format("{}{:.0f}", i == 0 ? "" : " ", x(row, s.first + i) / unit);
  return line;
}

void show_row(const Weights& w, const Array& x, std::size_t row) {
  const Stream& s = w.stream;
  say("  {}   {}  |  {}  |  {}  |  {}  |  {}", row, kLetters[kSequence[row]], coordinates(x, row, s.token),
      coordinates(x, row, s.before), coordinates(x, row, s.output), coordinates(x, row, s.position));
}

// The pattern as a table, with the tokens at both sides.
void show_pattern(const Array& p, std::size_t first_row, std::size_t end) {
  std::string head = "     query";
  for (std::size_t j = 0; j < end; ++j) head += fmt::format("     {}", kLetters[kSequence[j]]);
  say("{}", head);
  for (std::size_t i = first_row; i < end; ++i) {
    std::string line = fmt::format("  {:>4} {}   ", i, kLetters[kSequence[i]]);
    for (std::size_t j = 0; j < end; ++j) line += j > i ? "     ·" : fmt::format("  {:.2f}", p(i, j));
    say("{}", line);
  }
}

void subspaces() {
  section("1. A stream of subspaces");
  const Weights w = tables(Stream(kV, kT, false));
  const Array x = embedded(w, kSequence);
  say("The stream has {} coordinates: token {}, before {}, output {}, position {}.", w.stream.width(),
      w.stream.token.size, w.stream.before.size, w.stream.output.size, w.stream.position.size);
  say("          token    |  before   |  output   |  position");
  for (const std::size_t i : {0u, 3u, 4u}) show_row(w, x, i);
}

// How many numbers are not 0.
std::size_t set_numbers(const Array& W) {
  return static_cast<std::size_t>(std::count_if(W.begin(), W.end(), [](Real x) { return x != 0; }));
}

void one_back(const Pictures& pictures) {
  section("2. A previous-token head");
  const Weights w = exact_weights(kV, kT);
  const Head& head = w.layer_0[0];
  const Array x = embedded(w, kSequence);
  const Array q = product(x, head.W_Q), k = product(x, head.W_K);
  const double factor = kSharp * std::sqrt(static_cast<double>(head.d_head()));
  say("Of query 4 and key 3, the coordinates for positions:");
  say("  query           {}   times {:.1f} = 40 · √12", coordinates(q, 4, head.positions, factor), factor);
  say("  key             {}", coordinates(k, 3, head.positions));
  const Array s = scores(head, x);
  say("The score of query 4 and key 3: {:.1f}. Of query 4 and key 2: {:.1f}.", s(4, 3), s(4, 2));
  say("\nThe pattern:");
  show_pattern(pattern(head, x), 0, 5);
  say("\nOf the {} numbers of W_Q, {} are not 0; of W_K, {}.", head.W_Q.size(), set_numbers(head.W_Q),
      set_numbers(head.W_K));
  pictures.write("head_0.svg", svg_head("The previous-token head", w, head));
}

void copied() {
  section("3. A copy into another subspace");
  const Weights w = exact_weights(kV, kT);
  const Array y = behind(w.layer_0, embedded(w, kSequence));
  say("The stream behind layer 0:");
  say("          token    |  before   |  output   |  position");
  for (const std::size_t i : {0u, 3u, 4u}) show_row(w, y, i);
}

void followers(const Pictures& pictures) {
  section("4. An induction head");
  Weights w = exact_weights(kV, kT);
  const Array y = behind(w.layer_0, embedded(w, kSequence));
  Head first(w.stream);
  match_followers(first, w.stream);
  say("The queries are tokens, the keys are the tokens before. Rows 4 to 7 of the pattern:");
  show_pattern(pattern(first, y), 4, 8);
  say("\nThe same, with position 0 hidden:");
  show_pattern(pattern(w.layer_1[0], y), 4, 8);
  say("\nThe scores of query 4 for the keys 0 to 4:");
  for (const auto& [name, head] :
       {std::pair{"at first", &first}, {"with position 0 hidden", &w.layer_1[0]}}) {
    std::string line;
    for (std::size_t j = 0; j < 5; ++j) line += fmt::format("  {:4.0f}", scores(*head, y)(4, j));
    say("  {:<24}{}", name, line);
  }
  pictures.write("head_1.svg", svg_head("The induction head", w, w.layer_1[0]));
}

// The softmax of each row of logits (n,V).
Array probabilities_of(const Array& logits) { return softmax(Tensor(logits)).array(); }

Array logits_of(const Weights& w, const Tokens& tokens) {
  return product(behind(w.layer_1, behind(w.layer_0, embedded(w, tokens))), w.W_U);
}

void said(const Pictures& pictures) {
  section("5. The logits");
  const Weights w = exact_weights(kV, kT);
  const Array logits = logits_of(w, kSequence), p = probabilities_of(logits);
  say("  position   token   logits of a, b, c, d        probability of the right token");
  for (const std::size_t i : {1u, 3u, 4u, 5u, 6u}) {
    std::string line;
    for (std::size_t v = 0; v < kV; ++v) line += fmt::format("  {:5.2f}", logits(i, v));
    const auto right = static_cast<std::size_t>(kSequence[i + 1]);
    say("  {:>8}   {:>5}   {}   {} {:.4f}", i, kLetters[kSequence[i]], line, kLetters[right], p(i, right));
  }
  std::size_t all = w.W_E.size() + w.W_pos.size() + w.W_U.size(),
              set = set_numbers(w.W_E) + set_numbers(w.W_pos) + set_numbers(w.W_U);
  for (const Head* head : {&w.layer_0[0], &w.layer_1[0]})
    for (const Array* W : {&head->W_Q, &head->W_K, &head->W_V, &head->W_O})
      all += W->size(), set += set_numbers(*W);
  say("\nThe tables and both heads have {} numbers. {} of them are not 0.", all, set);
  pictures.write("stream.svg", svg_stream(w, kSequence));
  const Array x = embedded(w, kSequence), y = behind(w.layer_0, x);
  pictures.write("patterns.svg",
                 svg_patterns(pattern(w.layer_0[0], x), pattern(w.layer_1[0], y), p, kSequence));
}

// Sequences of the task of lesson 12: a segment of different tokens that repeats.
const tasks::Task& repeats(std::size_t period = 0) {
  static const tasks::Task any = tasks::make_task({.name = "repeat", .d_vocab = kFull, .n_ctx = kFull});
  static const tasks::Task one = tasks::make_task(
      {.name = "repeat", .d_vocab = kFull, .n_ctx = kFull, .min_segment = 12, .max_segment = 12});
  return period == 0 ? any : one;
}

void sharpness(const Pictures& pictures) {
  section("6. Sharpness");
  const tasks::Batch batch = tasks::draw_batch(repeats(), repeats().training, 100, Rng(1));
  draw::Series before{"on the token before", {}, {}}, follower{"on the follower", {}, {}},
      accuracy{"accuracy", {}, {}};
  say("V = T = {}: mean weights, and what becomes of the predictable tokens", kFull);
  say("      S   on the token before   on the follower   accuracy    loss");
  for (const double sharp : {1, 2, 3, 4, 5, 6, 8, 10, 40}) {
    const nn::Transformer model = transformer_of(exact_weights(kFull, kFull, {.sharp = sharp}));
    const auto heads = interpret::score_heads(model, batch);
    const train::Evaluation result = train::evaluate(model, batch, nn::Hooks());
    const double on_before = heads[0][interpret::kPreviousToken],
                 on_follower = heads[2][interpret::kInduction];
    say("  {:5.0f}   {:19.3f}   {:15.3f}   {:6.0f} %   {:5.2f}", sharp, on_before, on_follower,
        100 * *result.accuracy_predictable, *result.loss_predictable);
    if (sharp > 10) continue;
    before.x.push_back(sharp), follower.x.push_back(sharp), accuracy.x.push_back(sharp);
    before.y.push_back(on_before), follower.y.push_back(on_follower);
    accuracy.y.push_back(*result.accuracy_predictable);
  }
  pictures.write("sharpness.svg", draw::svg_chart({"Small factors blur both heads",
                                                   {.label = "S", .first = 0, .last = 10},
                                                   {.label = "weight, or accuracy", .first = 0, .last = 1},
                                                   {before, follower, accuracy}}));
}

void detectors(const nn::Transformer& model) {
  const tasks::Batch batch = tasks::draw_batch(repeats(), repeats().scored, 32, Rng(2));
  const nn::Transformer library = nn::induction_by_hand({.d_vocab = kFull, .n_ctx = kFull});
  say("The same logits as those of nn::induction_by_hand: {}",
      yes(model(batch.tokens).array() == library(batch.tokens).array()));
  const auto heads = interpret::score_heads(model, batch);
  const auto circuits = interpret::circuits_of(model);
  say("\nThe scores of all heads:");
  say("         previous-token   prefix-matching   copying");
  for (std::size_t i = 0; i < heads.size(); ++i)
    say("  {}      {:11.2f}   {:15.2f}   {:>7}", interpret::head_code(heads[i].at()),
        heads[i][interpret::kPreviousToken], heads[i][interpret::kInduction],
        circuits[i].copying_olsson ? fmt::format("{:.2f}", *circuits[i].copying_olsson) : "–");
  const nn::Transformer open = transformer_of(exact_weights(kFull, kFull, {.hides_position_0 = false}));
  const interpret::Composition first = keys_of(model), second = keys_of(open);
  say("\nComposition of L0H0 and L1H0 through the keys:");
  say("  whole                        {:.2f}", first.ratio.k);
  say("  without hiding position 0    {:.2f}", second.ratio.k);
  say("  random matrices              {:.2f}", first.baseline.k);
}

OnTwo on_two(const std::string& name, const nn::InductionByHand& options, const Tokens (&tokens)[2]) {
  const nn::Transformer model = nn::induction_by_hand(options);
  OnTwo m{name, {}, {}};
  for (const int i : {0, 1}) {
    IntArray batch = IntArray::from_shape({1, kT});
    std::copy(tokens[i].begin(), tokens[i].end(), batch.begin());
    const interpret::CachedRun run = interpret::run_with_cache(model, batch);
    m.pattern[i] = reshape(Tensor(run.cache[interpret::pattern_name(1)]), {kT, kT}).array();
    m.probabilities[i] = probabilities_of(reshape(Tensor(run.logits), {kT, kV}).array());
  }
  return m;
}

void certificate(const Pictures& pictures) {
  section("7. Detectors and certificate");
  const nn::Transformer whole = transformer_of(exact_weights(kFull, kFull));
  detectors(whole);
  say("\n                       matching       copying        composition    necessity      sufficiency  "
      "accuracy");
  struct Row {
    const char* name;
    nn::Broken broken;
  };
  const std::vector<Row> rows = {{"no copying", nn::Broken::copying},
                                 {"no matching", nn::Broken::matching},
                                 {"position only", nn::Broken::position_only},
                                 {"through queries", nn::Broken::through_queries}};
  Certifying certify(1 + rows.size());
  const auto examine = [&](const char* name, const nn::Transformer& model, std::size_t period) {
    say("  {:<18}{}", name, certify(model, repeats(period)));
  };
  examine("whole", whole, 0);
  for (const Row& row : rows)
    examine(row.name, nn::induction_by_hand({.d_vocab = kFull, .n_ctx = kFull, .broken = row.broken}),
            row.broken == nn::Broken::position_only ? 12 : 0);
  const Tokens both[2] = {kSequence, {1, 3, 0, 1, 3, 0, 1, 3}};
  const nn::InductionByHand small{.d_vocab = kV, .n_ctx = kT, .n_heads = 1};
  std::vector<OnTwo> models = {on_two("whole", small, both)};
  for (std::size_t i = 0; i < 3; ++i) {
    nn::InductionByHand options = small;
    options.broken = rows[i].broken;
    if (options.broken == nn::Broken::position_only) options.offset = 3;
    models.push_back(on_two(rows[i].name, options, both));
  }
  pictures.write("broken.svg", svg_models(models, both));
}

int main(int argc, char** argv) {
  return run(argc, argv, "14_by_hand", [](const Pictures& pictures) {
    say("Lesson 14: an induction head by hand");
    subspaces();
    one_back(pictures);
    copied();
    followers(pictures);
    said(pictures);
    sharpness(pictures);
    certificate(pictures);
  });
}
