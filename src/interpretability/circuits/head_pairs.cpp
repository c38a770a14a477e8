#include "head_pairs.h"

#include <cmath>
#include <cstdlib>

#include "headlight/core/check.h"
#include "headlight/nn/positions.h"

namespace headlight::interpret {
namespace {

// The rows (m,d_head) as if each stood at this position.
void rotate(const nn::Positions::Rotation& rotation, Matrix& rows, std::size_t position) {
  const Tensor apart(Array(xt::view(rows, xt::all(), xt::newaxis())));
  rows = xt::view(rotation(apart, position).array(), xt::all(), 0);
}

void rotate_by_distance(const HeadWeights& w, int distance, Pair& pair, Matrix& keys) {
  const nn::MultiHeadAttentionConfig& c = w.attn->config();
  const nn::Positions& kind = nn::positions().find(c.positions);
  if (!kind.rotation) return;
  const auto steps = static_cast<std::size_t>(std::abs(distance));
  check(steps < c.n_ctx, "[qk_circuit] expected a distance within {} positions, got {}.", c.n_ctx, distance);
  const nn::Positions::Rotation rotation = kind.rotation(nn::position_sizes(c));
  for (Matrix* side : distance >= 0 ? std::vector<Matrix*>{&pair.left, &pair.constant}
                                    : std::vector<Matrix*>{&keys, &pair.key_constant})
    rotate(rotation, *side, steps);
}

// The share of a key that comes from the token `from` places before it.
double share_of_key(const HeadWeights& w, const std::optional<std::size_t>& from) {
  if (!from) return 1;
  const bool smeared = w.attn->smear.defined();
  check(*from <= (smeared ? 1U : 0U), "[qk_circuit] expected smeared_from {}, got {}: {}.",
        smeared ? "0 or 1" : "0", *from,
        smeared ? "a smeared key is made of its own token and the one before it"
                : "the model's keys are not smeared");
  return *from == 0 ? w.smear : 1 - w.smear;
}

}  // namespace

Pair qk_pair(const HeadWeights& w, const Norms& of_queries, const Norms& of_keys, const CircuitOptions& o) {
  Pair pair{{}, {}, w.b_Q, w.b_K};
  pair.left = behind(of_queries, w.Q, pair.constant);
  Matrix keys = behind(of_keys, w.K, pair.key_constant);
  if (o.fold_norms && w.attn->q_norm) {
    through(pair.left, {&*w.attn->q_norm}), through(pair.constant, {&*w.attn->q_norm});
    through(keys, {&*w.attn->k_norm}), through(pair.key_constant, {&*w.attn->k_norm});
  }
  rotate_by_distance(w, o.distance, pair, keys);
  const double scale = 1 / std::sqrt(static_cast<double>(w.Q.shape(1))),
               share = share_of_key(w, o.smeared_from);
  pair.left *= scale, pair.constant *= scale;
  keys *= share, pair.key_constant *= share;
  pair.right = xt::transpose(keys);
  return pair;
}

Pair ov_pair(const HeadWeights& w, const Norms& norms) {
  Pair pair{{}, w.O, w.b_V, {}};
  pair.left = behind(norms, w.V, pair.constant);
  return pair;
}

Norms queries_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o) {
  return o.fold_norms ? norms_of_queries(model, at) : Norms();
}
Norms keys_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o) {
  return o.fold_norms ? norms_of_keys(model, at) : Norms();
}

Pair plain_qk(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o) {
  const HeadWeights w = head_weights(model, at);
  return qk_pair(w, queries_of(model, at, o), keys_of(model, at, o), o);
}
Pair plain_ov(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o) {
  const HeadWeights w = head_weights(model, at);
  return ov_pair(w, keys_of(model, at, o));
}

}  // namespace headlight::interpret
