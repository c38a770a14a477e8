#include <algorithm>
#include <cmath>

#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "stream.h"

namespace headlight::interpret {
namespace {

// Columns first … last-1 of W_QKV, or the layer's own matrix or bias.
Tensor part_of(const Tensor& own, const Tensor& joined, std::size_t first, std::size_t last) {
  if (!joined.defined()) return own;
  return slice(joined, -1, static_cast<int>(first), static_cast<int>(last));
}

// Queries or keys of all heads, source by source: x (S,n,d) W, and the bias as source S.
Tensor projected(const Tensor& x, const Tensor& W, const Tensor& b) {
  const Tensor y = matmul(reshape_to(x, {x.length(0) * x.length(1), x.length(2)}), W);
  const Tensor apart = reshape_to(y, {x.length(0), x.length(1), W.length(1)});
  if (!b.defined()) return apart;
  return concat({apart, broadcast_to(reshape_to(b, {1, 1, b.size()}), {1, x.length(1), b.size()})}, 0);
}

// The norm of each head's queries or keys with the scales of the run, (1,n,H,1).
Tensor normed_heads(const Tensor& x, const nn::Norm& norm, const Array& scale) {
  const std::size_t heads = scale.shape()[2], d = x.length(2) / heads;
  Array apart = reshape_to(x, {x.length(0), x.length(1), heads, d}).array();
  normalize(norm, scale, apart);
  return reshape_to(Tensor(std::move(apart)), x.shape());
}

// One head of x (S,n,H·d): (S,n,d), times a factor.
Array head_of(const Tensor& x, std::size_t head, std::size_t d, double factor) {
  const std::size_t width = x.length(2), rows = x.length(0) * x.length(1);
  Array one = empty_array({x.length(0), x.length(1), d});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < d; ++j)
      one.data()[i * d + j] =
          static_cast<Real>(static_cast<double>(x.array().data()[i * width + head * d + j]) * factor);
  return one;
}

struct QueriesAndKeys {
  Tensor q, k;  // (S,n,H·d_head), (T,n,Hkv·d_head)
};

// smear(k) in two parts, (2S,n,Hkv·d_head): what each key takes from its own position, source by source, and
// then what each takes from the position before.
Tensor smeared_apart(const Tensor& k, const Tensor& alpha) {
  const std::size_t S = k.length(0), n = k.length(1), heads = alpha.size();
  const Tensor apart = reshape_to(k, {S, n, heads, k.length(2) / heads}), first = slice(apart, 1, 0, 1);
  if (n == 1) return reshape_to(concat({first, 0 * first}, 0), {2 * S, n, k.length(2)});
  const Tensor a = reshape_to(sigmoid(alpha), {heads, 1});
  const Tensor own = concat({first, a * slice(apart, 1, 1)}, 1);
  const Tensor before = concat({0 * first, (1 - a) * slice(apart, 1, 0, -1)}, 1);
  return reshape_to(concat({own, before}, 0), {2 * S, n, k.length(2)});
}

QueriesAndKeys queries_and_keys(const nn::MultiHeadAttention& a, const Tensor& x, const std::string& name,
                                const CachedRun& run) {
  const nn::MultiHeadAttentionConfig& c = a.config();
  const std::size_t q_width = c.n_heads * *c.d_head, end = q_width + c.n_kv_heads * *c.d_head;
  Tensor q = projected(x, part_of(a.W_Q, a.W_QKV, 0, q_width), part_of(a.b_Q, a.b_QKV, 0, q_width));
  Tensor k = projected(x, part_of(a.W_K, a.W_QKV, q_width, end), part_of(a.b_K, a.b_QKV, q_width, end));
  if (a.smear.defined()) k = smeared_apart(k, a.smear);
  if (a.q_norm) {
    q = normed_heads(q, *a.q_norm, run.cache[name + "q_norm.hook_scale"]);
    k = normed_heads(k, *a.k_norm, run.cache[name + "k_norm.hook_scale"]);
  }
  if (const nn::Positions& kind = nn::positions().find(c.positions); kind.rotation) {
    const nn::Positions::Rotation rotation = kind.rotation(nn::position_sizes(c));
    q = rotation(q, 0), k = rotation(k, 0);
  }
  return {q, k};
}

// (n,n) of one head.
Array bias_of(const nn::MultiHeadAttention& a, std::size_t head, std::size_t n) {
  Array bias = full_array({n, n}, 0);
  const RelativeBias relative = a.options({}).relative;
  if (!relative.values.defined()) return bias;
  const Array& values = relative.values.array();  // (H,D) or (1,D)
  const std::size_t row = values.shape()[0] == 1 ? 0 : head;
  const int last = static_cast<int>(values.shape()[1]) - 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const int column = static_cast<int>(i) - static_cast<int>(j) - relative.first;
      bias(i, j) = values(row, static_cast<std::size_t>(std::clamp(column, 0, last)));
    }
  return bias;
}

double capped(double x, double cap) {
  if (cap == 0) return x;
  return cap * (1 - 2 / (1 + math::exp(2 * x / cap)));  // c tanh(x/c)
}

// The sum over the sources of x (S,n,d), and the length of the longest of them at each position.
struct Total {
  Matrix sum;
  std::vector<double> longest;
};

Total total_of(const Array& x) {
  const std::size_t n = x.shape()[1], d = x.shape()[2];
  Total total{Matrix({n, d}, 0), std::vector<double>(n, 0)};
  for (std::size_t s = 0; s < x.shape()[0]; ++s)
    for (std::size_t i = 0; i < n; ++i) {
      double squares = 0;
      for (std::size_t j = 0; j < d; ++j) {
        const auto value = static_cast<double>(x(s, i, j));
        total.sum(i, j) += value, squares += value * value;
      }
      total.longest[i] = std::max(total.longest[i], std::sqrt(squares));
    }
  return total;
}

void check_scores(const char* op, const HeadScoreSources& h) {
  const Total q = total_of(h.q), k = total_of(h.k);
  const Matrix sums = product(q.sum, xt::transpose(k.sum));
  for (std::size_t i = 0; i < sums.shape(0); ++i)
    for (std::size_t j = 0; j < sums.shape(1); ++j) {
      const auto score = static_cast<double>(h.scores(i, j));
      if (std::isinf(score)) continue;
      check_sum(op, capped(sums(i, j), h.cap) + static_cast<double>(h.bias(i, j)), score,
                q.longest[i] * k.longest[j]);
    }
}

// The sources of keys for those of queries.
std::vector<Source> sources_of_keys(const std::vector<Source>& sources, bool smeared) {
  std::vector<Source> all = sources;
  if (!smeared) return all;
  for (Source before : sources) {
    before.back = 1;
    all.push_back(std::move(before));
  }
  return all;
}

// The sources of a layer's queries and keys, (S,n,d), without the bias of the projection.
std::vector<Part> read_by_attention(const nn::Transformer& model, const CachedRun& run, const Stream& stream,
                                    std::size_t layer) {
  const nn::Block& block = model.blocks[layer];
  std::vector<Part> parts = model.config().norm_place == nn::NormPlace::pre
                                ? stream.behind_norm(block.ln1, block_name(layer) + "ln1", layer)
                                : stream.parts();
  if (is_beside(model)) {
    Array x = run.cache["hook_pos_embed"];
    const Shape one{1, x.shape()[0], x.shape()[1]};
    parts.push_back({{SourceKind::pos_embed, "pos_embed", 0, {}}, reshape_to(Tensor(x), one).array()});
  }
  return parts;
}

// All heads of a layer.
std::vector<HeadScoreSources> scores_of_layer(const char* op, const nn::Transformer& model,
                                              const CachedRun& run, const Stream& stream, std::size_t layer) {
  const nn::MultiHeadAttention& a = model.blocks[layer].attn;
  const nn::MultiHeadAttentionConfig& c = a.config();
  const std::string name = block_name(layer) + "attn.";
  std::vector<Source> sources;
  std::vector<Tensor> x;
  for (Part& part : read_by_attention(model, run, stream, layer)) {
    sources.push_back(std::move(part.source));
    x.emplace_back(std::move(part.x));
  }
  if (a.b_Q.defined() || a.b_QKV.defined())
    sources.push_back(bias_source(name + (a.b_QKV.defined() ? "b_QKV" : "b_Q, b_K"), layer));
  const auto [q, k] = queries_and_keys(a, concat(x, 0), name, run);
  const Array& scores = run.cache[name + "hook_attn_scores"];  // (1,H,n,n)
  const std::size_t n = scores.shape()[2];
  std::vector<HeadScoreSources> heads;
  for (std::size_t h = 0; h < c.n_heads; ++h) {
    Array own = empty_array({n, n});
    std::copy_n(scores.data() + h * n * n, n * n, own.data());
    heads.push_back({{layer, h},
                     sources,
                     sources_of_keys(sources, a.smear.defined()),
                     head_of(q, h, *c.d_head, 1 / std::sqrt(static_cast<double>(*c.d_head))),
                     head_of(k, h / (c.n_heads / c.n_kv_heads), *c.d_head, 1),
                     bias_of(a, h, n),
                     c.score_cap,
                     std::move(own)});
    check_scores(op, heads.back());
  }
  return heads;
}

// The key that a head attends to most, at this position.
std::optional<std::size_t> looked_at(const CachedRun& run, const Source& source, std::size_t position) {
  if (!source.head) return {};
  const char* attn = source.head->stack == Stack::cross ? "cross_attn." : "attn.";
  const Array& pattern = run.cache[block_name(source.layer) + attn + "hook_pattern"];  // (1,H,n,m)
  const std::size_t m = pattern.shape()[3];
  const Real* row = pattern.data() + (source.head->head * pattern.shape()[2] + position) * m;
  return static_cast<std::size_t>(std::max_element(row, row + m) - row);
}

}  // namespace

ScoreSources factored_scores(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given) {
  check_one_sequence("factored_scores", tokens);
  const CachedRun run = run_for_attribution(model, tokens, given);
  const NoGrad no_grad;
  Stream stream(model, run);
  ScoreSources result;
  for (std::size_t l = 0; l < model.blocks.size(); ++l) {
    if (l > 0) stream.advance();
    for (HeadScoreSources& head : scores_of_layer("factored_scores", model, run, stream, l))
      result.heads.push_back(std::move(head));
  }
  return result;
}

ScoreAttribution score_attribution(const nn::Transformer& model, const IntArray& tokens, const HeadAt& at,
                                   std::size_t query, std::size_t key, const nn::Given& given) {
  constexpr const char* kOp = "score_attribution";
  check_one_sequence(kOp, tokens);
  layer_of(model.config(), at);
  check(at.stack == Stack::self,
        "[{}] expected a head of the stack that predicts, reading its own tokens; got {}.", kOp,
        head_words(at));
  const std::size_t n = tokens.shape()[1];
  check(query < n && key < n, "[{}] expected positions 0 … {}, got query {} and key {}.", kOp, n - 1, query,
        key);
  const CachedRun run = run_for_attribution(model, tokens, given);
  const NoGrad no_grad;
  Stream stream(model, run);
  for (std::size_t l = 0; l < at.layer; ++l) stream.advance();
  const HeadScoreSources h = scores_of_layer(kOp, model, run, stream, at.layer)[at.head];
  const auto score = static_cast<double>(h.scores(query, key));
  check(!std::isinf(score), "[{}] query {} does not see key {}.", kOp, query, key);
  const std::size_t S = h.sources.size(), d = h.q.shape()[2];
  const std::size_t T = key == 0 ? S : h.key_sources.size();
  ScoreAttribution result{at, query, key, h.sources, h.key_sources, {}, {}, empty_array({S, T}), 0, 0, score};
  result.key_sources.resize(T);
  result.bias = static_cast<double>(h.bias(query, key));
  for (const Source& source : result.key_sources)
    result.key_from.push_back(looked_at(run, source, key - source.back));
  for (std::size_t s = 0; s < S; ++s) {
    result.query_from.push_back(looked_at(run, h.sources[s], query));
    for (std::size_t t = 0; t < T; ++t) {
      double term = 0;
      for (std::size_t c = 0; c < d; ++c)
        term += static_cast<double>(h.q(s, query, c)) * static_cast<double>(h.k(t, key, c));
      result.terms(s, t) = static_cast<Real>(term);
      result.sum += term;
    }
  }
  return result;
}

}  // namespace headlight::interpret
