// A forward pass written a second time: loops over doubles, without any op of the library. It reads only the
// arrays of the weights and the config. Ablation, patching and attribution are compared with it.
//
//   const Plain plain = plain_forward(model, {3, 1, 4}, {.z = remove_one_head});
//   void remove_one_head(std::size_t layer, std::size_t head, PlainTable& z);
//
// It computes decoders and encoders with every part that a config may add. Grouped heads have n_kv_heads
// heads of keys and values, Hkv; query head h reads head h / (H/Hkv).
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "headlight/nn/transformer.h"
#include "interpret/plain_arrays.h"

namespace headlight {

// Every activation of one sequence of n tokens. The names and meanings are those of the hook points, whose
// changed values they hold after an edit.
struct Plain {
  PlainTable embed, pos_embed;                    // [n][d_model]; pos_embed is empty without vectors
  std::vector<PlainTable> resid_pre, resid_post;  // [layer][n][d_model]
  std::vector<PlainTable> attn_out;               // [layer][n][d_model], with b_O
  std::vector<PlainTable> resid_mid, mlp_out;     // [layer][n][d_model]; empty without MLPs
  std::vector<PlainHeads> q, k;                   // [layer][H or Hkv][n][d_head]; as they enter the scores:
                                                  // after smearing, QK norm and rotation
  std::vector<PlainHeads> v;                      // [layer][Hkv][n][d_value]
  std::vector<PlainHeads> scores, pattern;        // [layer][H][query][key]; a hidden key's score is -∞
  std::vector<PlainHeads> z;                      // [layer][H][n][d_value]
  std::vector<PlainHeads> result;                 // [layer][H][n][d_model], without b_O
  PlainTable normalized;                          // [n][d_model]; after ln_final
  PlainTable logits;                              // [n][d_vocab]
};

// Functions that may change an activation in place; an empty one changes nothing. Each corresponds to the
// hook point of its name. k_input, v_input, k and v are called with a head of keys and values, 0 … Hkv-1.
struct PlainEdits {
  using All = std::function<void(PlainTable&)>;
  using Layer = std::function<void(std::size_t layer, PlainTable&)>;
  using Head = std::function<void(std::size_t layer, std::size_t head, PlainTable&)>;

  All embed = {}, pos_embed = {};
  Layer resid_pre = {};
  Head q_input = {}, k_input = {}, v_input = {};  // before the norm of pre-norm blocks
  Head q = {}, k = {}, v = {};                    // as projected
  Head scores = {}, pattern = {}, z = {}, result = {};
  Layer attn_out = {}, resid_mid = {}, mlp_in = {}, mlp_out = {}, resid_post = {};
};

namespace plain {

inline PlainTable norm(const nn::Norm& norm, PlainTable x) {
  if (norm.kind == nn::NormKind::none) return x;
  const PlainRow w = vector(norm.w), b = vector(norm.b);
  for (PlainRow& row : x) {
    const auto d = static_cast<double>(row.size());
    double mean = 0, square = 0;
    if (norm.kind == nn::NormKind::layer)
      for (const double value : row) mean += value / d;
    for (const double value : row) square += (value - mean) * (value - mean) / d;
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = (row[c] - mean) / std::sqrt(square + norm.eps) * w[c] + (b.empty() ? 0 : b[c]);
  }
  return x;
}

// x W + b of one head; `of` is 'q', 'k' or 'v'.
inline PlainTable project(const nn::MultiHeadAttention& a, char of, std::size_t head, const PlainTable& x) {
  const auto& c = a.config();
  const std::size_t width = of == 'v' ? *c.d_value : *c.d_head;
  const std::size_t keys = c.n_heads * *c.d_head, values = keys + c.n_kv_heads * *c.d_head;  // in W_QKV
  const Tensor& own = of == 'q' ? a.W_Q : of == 'k' ? a.W_K : a.W_V;
  const Tensor& own_b = of == 'q' ? a.b_Q : of == 'k' ? a.b_K : a.b_V;
  const std::size_t start = !c.fused_qkv || of == 'q' ? 0 : of == 'k' ? keys : values;
  const PlainRow b = vector(c.fused_qkv ? a.b_QKV : own_b);
  return product(x, columns(matrix(c.fused_qkv ? a.W_QKV : own), start + head * width, width),
                 b.empty() ? b : part(b, start + head * width, width));
}

inline void smear(PlainTable& k, double alpha) {
  const double own = 1 / (1 + std::exp(-alpha));
  for (std::size_t t = k.size(); t-- > 1;)
    for (std::size_t c = 0; c < k[t].size(); ++c) k[t][c] = own * k[t][c] + (1 - own) * k[t - 1][c];
}

inline void rotate(PlainTable& x) {
  for (std::size_t p = 0; p < x.size(); ++p) {
    const std::size_t half = x[p].size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const double angle =
          static_cast<double>(p) / std::pow(10000.0, static_cast<double>(i) / static_cast<double>(half));
      const double a = x[p][i], b = x[p][i + half];
      x[p][i] = a * std::cos(angle) - b * std::sin(angle);
      x[p][i + half] = a * std::sin(angle) + b * std::cos(angle);
    }
  }
}

// ALiBi's slopes for `heads` heads, as the authors' code lists them.
inline PlainRow slopes(std::size_t heads) {
  std::size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  PlainRow all;
  for (std::size_t h = 1; h <= power; ++h)
    all.push_back(std::pow(2.0, -8.0 * static_cast<double>(h) / static_cast<double>(power)));
  if (heads > power) {
    const PlainRow finer = slopes(2 * power);
    for (std::size_t h = 0; all.size() < heads; h += 2) all.push_back(finer[h]);
  }
  return all;
}

// T5's bucket of `behind` = query - key.
inline std::size_t bucket(int behind, std::size_t buckets, std::size_t max_distance, bool causal) {
  const std::size_t first = !causal && behind < 0 ? buckets / 2 : 0, count = causal ? buckets : buckets / 2;
  const auto distance = static_cast<std::size_t>(std::abs(behind)), exact = count / 2;
  if (distance < exact) return first + distance;
  const auto e = static_cast<double>(exact);
  const double share =
      std::log(static_cast<double>(distance) / e) / std::log(static_cast<double>(max_distance) / e);
  const auto far = exact + static_cast<std::size_t>(share * static_cast<double>(count - exact) + 1e-9);
  return first + (far < count ? far : count - 1);
}

// What positions add to the score of a key `behind` places before the query.
inline double bias(const nn::MultiHeadAttention& a, std::size_t head, int behind) {
  const auto& c = a.config();
  if (c.positions == "alibi") return -slopes(c.n_heads)[head] * std::abs(behind);
  if (c.positions == "t5") {
    const PlainRow numbers = matrix(a.rel_bias)[head];
    return numbers[bucket(behind, numbers.size(), c.max_distance, c.causal)];
  }
  if (c.positions != "relative") return 0;
  const int most = static_cast<int>(c.max_distance), least = c.causal ? 0 : -most;
  const int clipped = behind < least ? least : behind > most ? most : behind;
  return matrix(a.rel_bias)[head][static_cast<std::size_t>(clipped - least)];
}

inline PlainTable scores(const nn::MultiHeadAttention& a, std::size_t head, const PlainTable& q,
                         const PlainTable& k) {
  const auto& c = a.config();
  const int n = static_cast<int>(q.size());
  PlainRow of_distance;  // of query - key = 1-n … n-1
  for (int behind = 1 - n; behind < n; ++behind) of_distance.push_back(bias(a, head, behind));
  PlainTable s(q.size(), PlainRow(q.size(), -std::numeric_limits<double>::infinity()));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (c.causal && j > i) continue;
      if (c.window > 0 && std::abs(i - j) >= static_cast<int>(c.window)) continue;
      const PlainRow &query = q[static_cast<std::size_t>(i)], &key = k[static_cast<std::size_t>(j)];
      double score = 0;
      for (std::size_t d = 0; d < query.size(); ++d) score += query[d] * key[d];
      score /= std::sqrt(static_cast<double>(query.size()));
      if (c.score_cap > 0) score = c.score_cap * std::tanh(score / c.score_cap);
      s[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          score + of_distance[static_cast<std::size_t>(i - j + n - 1)];
    }
  return s;
}

// The softmax of each row; a sink adds its own exponential to the sum.
inline PlainTable softmax(PlainTable s, const PlainRow& sinks, std::size_t head) {
  for (PlainRow& row : s) {
    double most = sinks.empty() ? -std::numeric_limits<double>::infinity() : sinks[head], sum = 0;
    for (const double score : row) most = std::max(most, score);
    if (!sinks.empty()) sum += std::exp(sinks[head] - most);
    for (double& score : row) sum += score = std::exp(score - most);
    for (double& weight : row) weight /= sum;
  }
  return s;
}

inline PlainTable mlp(const nn::MLP& mlp, const std::string& kind, const PlainTable& x) {
  const PlainRow b_in = vector(mlp.b_in), b_out = vector(mlp.b_out);
  const bool gated = kind == "swiglu";
  PlainTable hidden = product(x, matrix(mlp.W_in), gated ? PlainRow() : b_in);
  const PlainTable gate = gated ? product(x, matrix(mlp.W_gate)) : hidden;
  for (std::size_t p = 0; p < hidden.size(); ++p)
    for (std::size_t c = 0; c < hidden[p].size(); ++c) {
      const double u = gate[p][c];
      double& h = hidden[p][c];
      if (kind == "relu") h = u > 0 ? u : 0;
      if (kind == "gelu")
        h = u / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (u + 0.044715 * u * u * u)));
      if (gated) h = h * u / (1 + std::exp(-u)) + (b_in.empty() ? 0 : b_in[c]);
    }
  return product(hidden, matrix(mlp.W_out), b_out);
}

inline void edit(const PlainEdits::Layer& f, std::size_t layer, PlainTable& x) {
  if (f) f(layer, x);
}
inline void edit(const PlainEdits::Head& f, std::size_t layer, std::size_t head, PlainTable& x) {
  if (f) f(layer, head, x);
}

// One pass: the model, and what it has computed so far.
struct Pass {
  const nn::Transformer& model;
  const PlainEdits& edits;
  Plain made = {};
  bool post = model.config().norm_place == nn::NormPlace::post;
  bool on_queries_and_keys = model.config().positions == "learned-qk";

  // What queries, keys or values of a head of layer l are projected from.
  PlainTable input(std::size_t l, std::size_t head, const PlainEdits::Head& change, bool placed) const {
    PlainTable x = made.resid_pre[l];
    edit(change, l, head, x);
    if (!post) x = norm(model.blocks[l].ln1, x);
    if (placed && on_queries_and_keys) add(x, made.pos_embed);
    return x;
  }

  void keys_and_values(std::size_t l, std::size_t g) {
    const nn::MultiHeadAttention& a = model.blocks[l].attn;
    PlainTable k = project(a, 'k', g, input(l, g, edits.k_input, true));
    PlainTable v = project(a, 'v', g, input(l, g, edits.v_input, false));
    edit(edits.k, l, g, k), edit(edits.v, l, g, v);
    if (a.smear.defined()) smear(k, vector(a.smear)[g]);
    if (a.k_norm) k = norm(*a.k_norm, k);
    if (a.config().positions == "rotary") rotate(k);
    made.k[l].push_back(k), made.v[l].push_back(v);
  }

  void head(std::size_t l, std::size_t h) {
    const nn::MultiHeadAttention& a = model.blocks[l].attn;
    const std::size_t g = h / (a.config().n_heads / a.config().n_kv_heads), width = *a.config().d_value;
    PlainTable q = project(a, 'q', h, input(l, h, edits.q_input, true));
    edit(edits.q, l, h, q);
    if (a.q_norm) q = norm(*a.q_norm, q);
    if (a.config().positions == "rotary") rotate(q);
    PlainTable s = scores(a, h, q, made.k[l][g]);
    edit(edits.scores, l, h, s);
    PlainTable pattern = softmax(s, vector(a.sinks), h);
    edit(edits.pattern, l, h, pattern);
    PlainTable z = product(pattern, made.v[l][g]);
    edit(edits.z, l, h, z);
    PlainTable result = product(z, rows(matrix(a.W_O), h * width, width));
    edit(edits.result, l, h, result);
    made.q[l].push_back(q), made.scores[l].push_back(s), made.pattern[l].push_back(pattern);
    made.z[l].push_back(z), made.result[l].push_back(result);
  }

  PlainTable attention(std::size_t l) {
    const nn::MultiHeadAttention& a = model.blocks[l].attn;
    for (auto* heads : {&made.q, &made.k, &made.v, &made.scores, &made.pattern, &made.z, &made.result})
      heads->emplace_back();
    for (std::size_t g = 0; g < a.config().n_kv_heads; ++g) keys_and_values(l, g);
    for (std::size_t h = 0; h < a.config().n_heads; ++h) head(l, h);
    PlainTable out(made.resid_pre[l].size(), PlainRow(model.config().d_model, 0.0));
    for (const PlainTable& result : made.result[l]) add(out, result);
    if (a.b_O.defined()) add(out, PlainTable(out.size(), vector(a.b_O)));
    return out;
  }

  // The residual stream x before layer l → after it.
  PlainTable block(std::size_t l, PlainTable x) {
    const nn::Block& b = model.blocks[l];
    edit(edits.resid_pre, l, x);
    made.resid_pre.push_back(x);
    PlainTable out = attention(l);
    edit(edits.attn_out, l, out);
    made.attn_out.push_back(out);
    add(x, out);
    if (b.mlp) {
      edit(edits.resid_mid, l, x);
      made.resid_mid.push_back(x);
      if (post) x = norm(b.ln1, x);
      PlainTable read = x;
      edit(edits.mlp_in, l, read);
      out = mlp(*b.mlp, model.config().mlp, post ? read : norm(*b.ln2, read));
      edit(edits.mlp_out, l, out);
      made.mlp_out.push_back(out);
      add(x, out);
    }
    edit(edits.resid_post, l, x);
    made.resid_post.push_back(x);
    return post ? norm(b.mlp ? *b.ln2 : b.ln1, x) : x;
  }
};

}  // namespace plain

// Runs the model on one sequence. Throws Error for an encoder–decoder, which has a second sequence.
inline Plain plain_forward(const nn::Transformer& model, const std::vector<int>& tokens,
                           const PlainEdits& edits = {}) {
  check(model.encoder.empty(), "[plain_forward] expected a decoder or an encoder, got an encoder–decoder.");
  plain::Pass pass{model, edits};
  Plain& made = pass.made;
  const PlainTable W_E = plain::matrix(model.embed.W);
  for (const int token : tokens) made.embed.push_back(W_E.at(static_cast<std::size_t>(token)));
  if (edits.embed) edits.embed(made.embed);
  PlainTable x = made.embed;
  if (model.W_pos.defined()) {
    made.pos_embed = plain::rows(plain::matrix(model.W_pos), 0, tokens.size());
    if (edits.pos_embed) edits.pos_embed(made.pos_embed);
    if (!pass.on_queries_and_keys) plain::add(x, made.pos_embed);
  }
  for (std::size_t l = 0; l < model.blocks.size(); ++l) x = pass.block(l, x);
  made.normalized = plain::norm(model.ln_final, x);
  PlainTable W_U = plain::matrix(model.unembed.W);
  if (model.config().tied_embeddings) {
    W_U.assign(W_E[0].size(), PlainRow(W_E.size()));
    for (std::size_t token = 0; token < W_E.size(); ++token)
      for (std::size_t c = 0; c < W_U.size(); ++c) W_U[c][token] = W_E[token][c];
  }
  made.logits = plain::product(made.normalized, W_U);
  return made;
}

}  // namespace headlight
