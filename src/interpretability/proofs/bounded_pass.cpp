#include "bounded_pass.h"

#include <cmath>
#include <utility>

#include "headlight/ops/rearrange.h"
#include "heads/rotation_matrix.h"

namespace headlight::interpret {

BoundedModel::BoundedModel(const nn::Transformer& model, std::size_t positions) : model_(model) {
  const NoGrad no_grad;
  const nn::TransformerConfig& c = model.config();
  const nn::MultiHeadAttentionConfig& attention = model.blocks[0].attn.config();
  const nn::Positions& kind = nn::positions().find(c.positions);
  vectors_in_stream_ = kind.place == nn::Positions::Place::embedding;
  n_heads_ = attention.n_heads, d_head_ = *attention.d_head;
  W_E_ = ExactMatrix(model.embed.W), W_pos_ = ExactMatrix(model.W_pos);
  W_U_ = ExactMatrix(c.tied_embeddings ? transpose(model.embed.W) : model.unembed.W);
  for (const nn::Block& block : model.blocks) {
    const nn::MultiHeadAttention& a = block.attn;
    layers_.push_back({&block, ExactMatrix(a.W_Q), ExactMatrix(a.W_K), ExactMatrix(a.W_V), ExactMatrix(a.W_O),
                       ExactMatrix(a.b_Q), ExactMatrix(a.b_K), ExactMatrix(a.b_V), ExactMatrix(a.b_O)});
  }
  if (!kind.rotation) return;
  const auto rotation = kind.rotation(nn::position_sizes(attention));
  for (std::size_t p = 0; p < positions; ++p) {
    const Array turned = rotation_matrix(rotation, d_head_, p).array();
    turns_.emplace_back(d_head_);
    for (std::size_t from = 0; from < d_head_; ++from)
      for (std::size_t to = 0; to < d_head_; ++to)
        if (const Real by = turned(from, to); by != 0)
          turns_[p][to].push_back({from, static_cast<double>(by)});
  }
}

// The table's rows of the tokens, or of their positions.
Balls BoundedModel::placed(const std::vector<TreeToken>& tree, const ExactMatrix& table,
                           bool by_position) const {
  Balls x(tree.size(), table.cols);
  for (std::size_t r = 0; r < tree.size(); ++r) {
    const std::size_t row = by_position ? tree[r].position : static_cast<std::size_t>(tree[r].token);
    std::copy_n(&table.values[row * table.cols], table.cols, &x.center[r * table.cols]);
  }
  return x;
}

void BoundedModel::turn(Balls& x, const std::vector<TreeToken>& tree) const {
  if (turns_.empty()) return;
  const Balls before = std::exchange(x, Balls(x.rows, x.cols));
  for (std::size_t r = 0; r < tree.size(); ++r)
    for (std::size_t h = 0; h < n_heads_; ++h)
      for (std::size_t i = 0; i < d_head_; ++i) {
        const std::vector<Turn>& parts = turns_[tree[r].position][i];
        const std::size_t to = r * x.cols + h * d_head_ + i;
        for (const Turn& t : parts)
          add_multiple({t.by, 0}, span(before, r, h * d_head_ + t.from, 1), parts.size(), &x.center[to],
                       &x.radius[to]);
      }
}

Balls BoundedModel::attend(const Balls& normalized, const Layer& layer,
                           const std::vector<TreeToken>& tree) const {
  const bool add_vectors = W_pos_.cols > 0 && !vectors_in_stream_;
  const Balls read = add_vectors ? add(normalized, placed(tree, W_pos_, true)) : normalized;
  Balls q = linear(read, layer.W_Q, layer.b_Q), k = linear(read, layer.W_K, layer.b_K);
  const Balls v = linear(normalized, layer.W_V, layer.b_V);
  turn(q, tree), turn(k, tree);
  Balls z(tree.size(), v.cols);
  const double factor = 1 / std::sqrt(static_cast<double>(d_head_));
  std::vector<Ball> pattern;
  std::vector<std::size_t> keys;
  for (std::size_t r = 0; r < tree.size(); ++r) {
    keys.clear();
    for (auto key = static_cast<std::ptrdiff_t>(r); key >= 0;
         key = tree[static_cast<std::size_t>(key)].before)
      keys.push_back(static_cast<std::size_t>(key));
    for (std::size_t h = 0; h < n_heads_; ++h) {
      const std::size_t first = h * d_head_;
      pattern.clear();
      for (const std::size_t key : keys)
        pattern.push_back(scaled_dot(span(q, r, first, d_head_), span(k, key, first, d_head_), factor));
      softmax(pattern);
      for (std::size_t j = 0; j < keys.size(); ++j)
        add_multiple(pattern[j], span(v, keys[j], first, d_head_), keys.size(), &z.center[r * z.cols + first],
                     &z.radius[r * z.cols + first]);
    }
  }
  return linear(z, layer.W_O, layer.b_O);
}

Balls BoundedModel::logits(const std::vector<TreeToken>& tree, std::size_t leaves) const {
  const bool before = model_.config().norm_place == nn::NormPlace::pre;
  Balls x = placed(tree, W_E_, false);
  if (W_pos_.cols > 0 && vectors_in_stream_) x = add(std::move(x), placed(tree, W_pos_, true));
  for (const Layer& layer : layers_) {
    const Balls written = attend(before ? norm(x, layer.block->ln1) : x, layer, tree);
    x = add(std::move(x), written);
    if (!before) x = norm(std::move(x), layer.block->ln1);
  }
  Balls last(leaves, x.cols);
  std::copy(x.center.end() - static_cast<std::ptrdiff_t>(last.center.size()), x.center.end(),
            last.center.begin());
  std::copy(x.radius.end() - static_cast<std::ptrdiff_t>(last.radius.size()), x.radius.end(),
            last.radius.begin());
  Balls logits = linear(norm(std::move(last), model_.ln_final), W_U_);
  check_no_overflow(logits);
  return logits;
}

}  // namespace headlight::interpret
