// Lesson 14: the weights of an induction transformer, set by hand, and what the certificate says of them.
#include <cmath>
#include <string>
#include <vector>

#include "certified.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "transformer.h"

using namespace headlight;
using namespace headlight::lesson;

constexpr std::size_t kFull = 32;  // both sizes of the large one

// The factor of W_Q that gives a key the score `sharp`.
double factor_of(const Head& head, double sharp) {
  return sharp * std::sqrt(static_cast<double>(head.d_head()));
}

// ---- The weights, section by section ----

// 1. The tables before and behind the heads.
Weights tables(const Stream& s, double logit) {
  Weights w(s);
  put(w.W_E, {0, s.token.size}, s.token, 1);
  put(w.W_pos, {0, s.position.size}, s.position, 1);
  put(w.W_U, s.output, {0, s.token.size}, logit);
  return w;
}

// 2. Queries shift their position by one, so that they fit the position of the key before.
void look_back(Head& head, const Stream& s, double sharp) {
  const std::size_t count = s.position.size - 1;
  put(head.W_Q, s.position.part(1, count), head.positions.part(0, count), factor_of(head, sharp));
  put(head.W_K, s.position, head.positions, 1);
}

// 3. The token that is looked at goes into the subspace `to`.
void copy_token(Head& head, const Stream& s, const Subspace& to) {
  put(head.W_V, s.token, head.tokens, 1);
  put(head.W_O, head.tokens, to, 1);
}

// 4. Queries show their token, keys the token before them.
void match_followers(Head& head, const Stream& s, double sharp) {
  put(head.W_Q, s.token, head.tokens, factor_of(head, sharp));
  put(head.W_K, s.before, head.tokens, 1);
}

// 4. Every query gives the key at position 0 a score of -2 · sharp.
void hide_position_0(Head& head, const Stream& s, double sharp) {
  const Subspace hidden = head.positions.part(0, 1);
  for (std::size_t i = 0; i < s.position.size; ++i)
    put(head.W_Q, s.position.part(i, 1), hidden, -2 * factor_of(head, sharp));
  put(head.W_K, s.position.part(0, 1), hidden, 1);
}

struct Exact {
  double sharp = 40;  // S, the score of the right key
  bool hides_position_0 = true;
  double logit = 20;  // of the token that is said
};

// 5. The whole model.
Weights exact_weights(std::size_t V, std::size_t T, const Exact& with = {}) {
  Weights w = tables(Stream(V, T), with.logit);
  look_back(w.layer_0[0], w.stream, with.sharp);
  copy_token(w.layer_0[0], w.stream, w.stream.before);
  match_followers(w.layer_1[0], w.stream, with.sharp);
  if (with.hides_position_0) hide_position_0(w.layer_1[0], w.stream, with.sharp);
  copy_token(w.layer_1[0], w.stream, w.stream.output);
  return w;
}

Array logits_of(const Weights& w, const Tokens& tokens) {
  return product(behind(w.layer_1, behind(w.layer_0, embedded(w, tokens))), w.W_U);
}

// ---- What they do on b d a c b d a c ----

void subspaces(const Weights& w) {
  section("1. A stream of subspaces");
  const Stream& s = w.stream;
  say("The stream has {} coordinates: token {}, before {}, output {}, position {}.", s.width(), s.token.size,
      s.before.size, s.output.size, s.position.size);
  show_stream(s, embedded(w, kSequence));
}

void one_back(const Pictures& pictures, const Weights& w) {
  section("2. A previous-token head");
  const Head& head = w.layer_0[0];
  const Array x = embedded(w, kSequence), s = scores(head, x);
  show_query_and_key(head, x, factor_of(head, 40));
  say("The score of query 4 and key 3: {:.1f}. Of query 4 and key 2: {:.1f}.", s(4, 3), s(4, 2));
  say("\nThe pattern:");
  show_pattern(pattern(head, x), 0, 5);
  say("\nOf the {} numbers of W_Q, {} are not 0; of W_K, {}.", head.W_Q.size(), set_numbers(head.W_Q),
      set_numbers(head.W_K));
  pictures.write("head_0.svg", svg_head("The previous-token head", w, head));
}

void copied(const Weights& w) {
  section("3. A copy into another subspace");
  say("The stream behind layer 0:");
  show_stream(w.stream, behind(w.layer_0, embedded(w, kSequence)));
}

void followers(const Pictures& pictures, const Weights& w) {
  section("4. An induction head");
  const Array y = behind(w.layer_0, embedded(w, kSequence));
  const Head open = exact_weights(kV, kT, {.hides_position_0 = false}).layer_1[0], &hides = w.layer_1[0];
  say("The queries are tokens, the keys are the tokens before. Rows 4 to 7 of the pattern:");
  show_pattern(pattern(open, y), 4, 8);
  say("\nThe same, with position 0 hidden:");
  show_pattern(pattern(hides, y), 4, 8);
  say("\nThe scores of query 4 for the keys 0 to 4:");
  show_scores("at first", scores(open, y));
  show_scores("with position 0 hidden", scores(hides, y));
  pictures.write("head_1.svg", svg_head("The induction head", w, hides));
}

void said(const Pictures& pictures, const Weights& w) {
  section("5. The logits");
  const Array logits = logits_of(w, kSequence);
  show_logits(logits);
  show_counts(w);
  pictures.write("stream.svg", svg_stream(w));
  pictures.write("patterns.svg", svg_patterns(w, logits));
}

// ---- The large model ----

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
  std::vector<AtSharpness> all;
  say("V = T = {}: mean weights, and what becomes of the predictable tokens", kFull);
  say("      S   on the token before   on the follower   accuracy    loss");
  for (const double sharp : {1, 2, 3, 4, 5, 6, 8, 10, 40}) {
    const nn::Transformer model = transformer_of(exact_weights(kFull, kFull, {.sharp = sharp}));
    const auto heads = interpret::score_heads(model, batch);
    const train::Evaluation result = train::evaluate(model, batch, nn::Hooks());
    all.push_back({sharp, heads[0][interpret::kPreviousToken], heads[2][interpret::kInduction],
                   *result.accuracy_predictable});
    say("  {:5.0f}   {:19.3f}   {:15.3f}   {:6.0f} %   {:5.2f}", sharp, all.back().before,
        all.back().follower, 100 * all.back().accuracy, *result.loss_predictable);
  }
  pictures.write("sharpness.svg", svg_sharpness(all));
}

void detectors(const nn::Transformer& model) {
  const tasks::Batch batch = tasks::draw_batch(repeats(), repeats().scored, 32, Rng(2));
  const nn::Transformer library = nn::induction_by_hand({.d_vocab = kFull, .n_ctx = kFull});
  say("The same logits as those of nn::induction_by_hand: {}",
      yes(model(batch.tokens).array() == library(batch.tokens).array()));
  show_head_scores(model, batch);
  const nn::Transformer open = transformer_of(exact_weights(kFull, kFull, {.hides_position_0 = false}));
  show_composition(keys_of(model), keys_of(open));
}

void certificate(const Pictures& pictures) {
  section("7. Detectors and certificate");
  const nn::Transformer whole = transformer_of(exact_weights(kFull, kFull));
  detectors(whole);
  say("\n                       matching       copying        composition    necessity      sufficiency  "
      "accuracy");
  Certifying certify(1 + kBroken.size());
  certify("whole", whole, repeats());
  for (const auto& [name, broken] : kBroken)
    certify(name, nn::induction_by_hand({.d_vocab = kFull, .n_ctx = kFull, .broken = broken}),
            repeats(broken == nn::Broken::position_only ? 12 : 0));
  pictures.write("broken.svg", svg_models());
}

int main(int argc, char** argv) {
  return run(argc, argv, "14_by_hand", [](const Pictures& pictures) {
    say("Lesson 14: an induction head by hand");
    const Weights w = exact_weights(kV, kT);
    subspaces(w);
    one_back(pictures, w);
    copied(w);
    followers(pictures, w);
    said(pictures, w);
    sharpness(pictures);
    certificate(pictures);
  });
}
