#include "headlight/nn/by_hand.h"

#include <algorithm>
#include <cmath>

namespace headlight::nn {
namespace {

constexpr double kSharpness = 40;  // between the scores of a key that is meant and of others
constexpr double kLogit = 20;

// Head 0 of a layer. It owns the first columns of W_Q, W_K, W_V and the first rows of W_O. Of these V + T,
// the first V stand for tokens and the others for positions.
struct HeadByHand {
  MultiHeadAttention& weights;
  const StreamByHand& stream;
  Coordinates token{0, stream.token.size}, position{token.size, stream.position.size};
  double sharp = kSharpness * std::sqrt(static_cast<double>(token.size + position.size));  // before /√d_head
};

// The matrix between two ranges of coordinates of equal size becomes factor·identity.
void set(Tensor& W, const Coordinates& from, const Coordinates& to, double factor) {
  check(from.size == to.size, "[induction_by_hand] {} coordinates cannot be copied to {}.", from.size,
        to.size);
  Array& numbers = W.mutable_array();
  for (std::size_t i = 0; i < from.size; ++i)
    numbers(from.first + i, to.first + i) = static_cast<Real>(factor);
}

// The sum of the coordinates `from` enters the first coordinate of `to`, times a factor.
void set_sum(Tensor& W, const Coordinates& from, const Coordinates& to, double factor) {
  for (std::size_t i = 0; i < from.size; ++i) set(W, from.part(i, 1), to.part(0, 1), factor);
}

void look_back(HeadByHand head, std::size_t distance) {
  const std::size_t reached = head.position.size - distance;
  set(head.weights.W_Q, head.stream.position.part(distance, reached), head.position.part(0, reached),
      head.sharp);
  set(head.weights.W_K, head.stream.position, head.position, 1);
}

void look_at_followers(HeadByHand head, bool keys_hold_previous) {
  set(head.weights.W_Q, head.stream.token, head.token, head.sharp);
  if (keys_hold_previous) set(head.weights.W_K, head.stream.previous, head.token, 1);
  set_sum(head.weights.W_Q, head.stream.position, head.position, -2 * head.sharp);
  set(head.weights.W_K, head.stream.position.part(0, 1), head.position.part(0, 1), 1);
}

void look_at_earlier_copies(HeadByHand head) {
  set(head.weights.W_Q, head.stream.token, head.token, head.sharp);
  set(head.weights.W_K, head.stream.token, head.token, 1);
  set(head.weights.W_Q, head.stream.position, head.position, -2 * head.sharp);
  set(head.weights.W_K, head.stream.position, head.position, 1);
}

void look_after_the_pointer(HeadByHand head) {
  const std::size_t T = head.position.size;
  set(head.weights.W_Q, head.stream.pointer.part(0, T - 1), head.position.part(1, T - 1),
      static_cast<double>(T) * head.sharp);
  set(head.weights.W_K, head.stream.position, head.position, 1);
}

void write_token(HeadByHand head, const Coordinates& to) {
  set(head.weights.W_V, head.stream.token, head.token, 1);
  set(head.weights.W_O, head.token, to, 1);
}

void write_next_token(HeadByHand head, const Coordinates& to) {
  const std::size_t last = head.token.size - 1;
  set(head.weights.W_V, head.stream.token, head.token, 1);
  set(head.weights.W_O, head.token.part(0, last), to.part(1, last), 1);
  set(head.weights.W_O, head.token.part(last, 1), to.part(0, 1), 1);
}

void write_position(HeadByHand head, const Coordinates& to) {
  set(head.weights.W_V, head.stream.position, head.position, 1);
  set(head.weights.W_O, head.position, to, 1);
}

void check_options(const InductionByHand& o) {
  constexpr std::size_t kMost = 1024;  // d_vocab + n_ctx; the weights grow as its square
  check(o.d_vocab >= 2 && o.n_ctx >= 2,
        "[induction_by_hand] expected d_vocab and n_ctx of at least 2, got d_vocab = {} and n_ctx = {}.",
        o.d_vocab, o.n_ctx);
  check(o.d_vocab <= kMost && o.n_ctx <= kMost && o.d_vocab + o.n_ctx <= kMost,
        "[induction_by_hand] expected d_vocab + n_ctx of at most {}, got {} + {}. Hint: every "
        "token and position has a coordinate of its own.",
        kMost, o.d_vocab, o.n_ctx);
  check(o.n_heads >= 1 && o.n_heads <= 64, "[induction_by_hand] expected 1 to 64 heads, got n_heads = {}.",
        o.n_heads);
  check(o.offset == 0 || o.broken == Broken::position_only,
        "[induction_by_hand] an offset is for a head that looks a fixed distance back, but broken = '{}' and "
        "offset = {}. Hint: broken 'position-only', or offset 0.",
        to_string(o.broken), o.offset);
  check(o.offset < o.n_ctx, "[induction_by_hand] expected an offset below n_ctx = {}, got {}.", o.n_ctx,
        o.offset);
}

std::size_t distance_back(const InductionByHand& o) {
  if (o.offset > 0) return o.offset;
  return std::max<std::size_t>(2, 3 * o.n_ctx / 8) - 1;
}

}  // namespace

const Registry<Broken>& broken_ingredients() {
  static const Registry<Broken> all(
      "broken ingredient",
      {{"none", "matching and copying work, and compose through keys", Broken::nothing},
       {"copying", "the induction head writes another token than the one it looks at", Broken::copying},
       {"matching", "the keys of the induction head do not hold the previous token", Broken::matching},
       {"position-only", "the head of layer 1 looks a fixed distance back", Broken::position_only},
       {"through-queries", "matching and copying work, and compose through queries",
        Broken::through_queries}});
  return all;
}

std::string to_string(Broken broken) {
  for (const auto& entry : broken_ingredients().entries())
    if (entry.thing == broken) return entry.name;
  fail("this broken ingredient has no name.");
}

StreamByHand stream_by_hand(const InductionByHand& options) {
  check_options(options);
  const std::size_t V = options.d_vocab, T = options.n_ctx;
  return {.token = {0, V},
          .output = {V, V},
          .previous = {2 * V, V},
          .position = {3 * V, T},
          .pointer = {3 * V + T, T}};
}

Transformer induction_by_hand(const InductionByHand& options) {
  const StreamByHand stream = stream_by_hand(options);
  Rng rng(0);  // for weights that are all replaced
  Transformer model({.n_layers = 2,
                     .d_model = stream.d_model(),
                     .n_heads = options.n_heads,
                     .d_head = options.d_vocab + options.n_ctx,
                     .d_vocab = options.d_vocab,
                     .n_ctx = options.n_ctx,
                     .positions = "learned",
                     .norm = NormKind::none},
                    rng);
  for (Tensor& p : parameters(model)) p.mutable_array().fill(0);
  set(model.embed.W, {0, options.d_vocab}, stream.token, 1);
  set(model.W_pos, {0, options.n_ctx}, stream.position, 1);
  set(model.unembed.W, stream.output, {0, options.d_vocab}, kLogit);

  const HeadByHand first{model.blocks[0].attn, stream}, second{model.blocks[1].attn, stream};
  if (options.broken == Broken::through_queries) {
    look_at_earlier_copies(first);
    write_position(first, stream.pointer);
    look_after_the_pointer(second);
  } else {
    look_back(first, 1);
    write_token(first, stream.previous);
    if (options.broken == Broken::position_only)
      look_back(second, distance_back(options));
    else
      look_at_followers(second, options.broken != Broken::matching);
  }
  if (options.broken == Broken::copying)
    write_next_token(second, stream.output);
  else
    write_token(second, stream.output);
  return model;
}

}  // namespace headlight::nn
