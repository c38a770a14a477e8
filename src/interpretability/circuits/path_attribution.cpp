#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "headlight/core/check.h"
#include "stream.h"

namespace headlight::interpret {
namespace {

// One matrix (n,m) of an array (1,H,n,m).
Matrix pattern_of(const Array& patterns, std::size_t head) { return xt::view(patterns, 0, head); }

// Follows a cotangent of the residual stream (n,d) from the output down to the sources.
class Paths {
 public:
  Paths(const nn::Transformer& model, const CachedRun& run) : model_(model), run_(run) {
    for (std::size_t l = 0; l < model.blocks.size(); ++l)
      for (std::size_t h = 0; h < model.config().n_heads; ++h) {
        heads_.push_back(head_weights(model, {l, h}));
        patterns_.push_back(pattern_of(run.cache[block_name(l) + "attn.hook_pattern"], h));
      }
  }

  // The terms of all paths that end in `g` behind the first `blocks` blocks and go on through `heads`.
  void down(std::size_t blocks, Matrix g, const std::vector<HeadAt>& heads) {
    for (std::size_t l = blocks; l > 0; --l) through_block(l - 1, g, heads);
    add(heads, {SourceKind::embed, "embed", 0, {}}, g, run_.cache["hook_embed"]);
    if (model_.W_pos.defined() && !is_beside(model_))
      add(heads, {SourceKind::pos_embed, "pos_embed", 0, {}}, g, run_.cache["hook_pos_embed"]);
  }

  // The term of a source x (n,d) or (1,n,d), or of a constant (d).
  void add(const std::vector<HeadAt>& heads, Source source, const Matrix& g, const Array& x) {
    PathTerm term{heads, std::move(source), 0, std::vector<double>(g.shape(0), 0)};
    for (std::size_t i = 0; i < g.shape(0); ++i) {
      for (std::size_t j = 0; j < g.shape(1); ++j)
        term.by_position[i] += g(i, j) * static_cast<double>(x.data()[(i * g.shape(1) + j) % x.size()]);
      term.value += term.by_position[i];
    }
    terms_.push_back(std::move(term));
  }

  std::vector<PathTerm> take() { return std::move(terms_); }

 private:
  void add_bias(const std::vector<HeadAt>& heads, const std::string& name, std::size_t layer, const Matrix& g,
                const Tensor& b) {
    if (b.defined()) add(heads, bias_source(name, layer), g, b.array());
  }

  // Back through a norm of a sum, if the blocks have such.
  void norm_of_sum(const nn::Norm& norm, const std::string& name, std::size_t layer, Matrix& g,
                   const std::vector<HeadAt>& heads) {
    if (model_.config().norm_place != nn::NormPlace::post) return;
    add_bias(heads, name + ".b", layer, g, norm.b);
    normalize_back(norm, run_.cache[name + ".hook_scale"], g);
  }

  void through_block(std::size_t l, Matrix& g, const std::vector<HeadAt>& heads) {
    const nn::Block& block = model_.blocks[l];
    const std::string name = block_name(l);
    if (block.mlp) {
      norm_of_sum(*block.ln2, name + "ln2", l, g, heads);
      add(heads, mlp_source(l), g, run_.cache[name + "hook_mlp_out"]);
    }
    if (block.cross_attn) {
      norm_of_sum(*block.ln_cross, name + "ln_cross", l, g, heads);
      const Array& results = run_.cache[name + "cross_attn.hook_result"];
      for (std::size_t h = 0; h < model_.config().n_heads; ++h)
        add(heads, head_source({l, h, Stack::cross}), g, one_head(results, h));
      add_bias(heads, name + "cross_attn.b_O", l, g, block.cross_attn->b_O);
    }
    norm_of_sum(block.ln1, name + "ln1", l, g, heads);
    add_bias(heads, name + "attn.b_O", l, g, block.attn.b_O);
    for (std::size_t h = 0; h < model_.config().n_heads; ++h) through_head({l, h}, g, heads);
  }

  // result = A (y W_V + b_V) W_O, y the block's input behind ln1 where norms stand before.
  void through_head(const HeadAt& at, const Matrix& g, const std::vector<HeadAt>& above) {
    const std::size_t index = at.layer * model_.config().n_heads + at.head;
    const HeadWeights& w = heads_[index];
    std::vector<HeadAt> heads{at};
    heads.insert(heads.end(), above.begin(), above.end());
    const Matrix of_values =
        product(xt::transpose(patterns_[index]), product(g, xt::transpose(w.O)));  // (n,d_value)
    const std::string name = block_name(at.layer);
    if (model_.blocks[at.layer].attn.config().bias) {
      const bool fused = model_.blocks[at.layer].attn.b_QKV.defined();
      add(heads, bias_source(name + (fused ? "attn.b_QKV" : "attn.b_V"), at.layer), of_values, w.b_V);
    }
    Matrix of_input = product(of_values, xt::transpose(w.V));  // (n,d)
    if (model_.config().norm_place == nn::NormPlace::pre) {
      const nn::Norm& norm = model_.blocks[at.layer].ln1;
      add_bias(heads, name + "ln1.b", at.layer, of_input, norm.b);
      if (norm.kind != nn::NormKind::none)
        normalize_back(norm, run_.cache[name + "ln1.hook_scale"], of_input);
    }
    down(at.layer, std::move(of_input), heads);
  }

  const nn::Transformer& model_;
  const CachedRun& run_;
  std::vector<HeadWeights> heads_;  // layer by layer
  std::vector<Matrix> patterns_;    // (n,n) each
  std::vector<PathTerm> terms_;
};

constexpr const char* kOpOfPaths = "logit_attribution";

void check_token(const nn::Transformer& model, std::int32_t token) {
  check(token >= 0 && static_cast<std::size_t>(token) < model.config().d_vocab,
        "[{}] token {} is outside the vocabulary 0 … {}.", kOpOfPaths, token, model.config().d_vocab - 1);
}

void check_paths(const nn::Transformer& model, const LogitOptions& options) {
  double paths = 1;
  for (std::size_t l = 0; l < model.blocks.size(); ++l)
    paths *= 1 + static_cast<double>(model.config().n_heads);
  check(paths <= static_cast<double>(options.most_paths),
        "[{}] {} layers of {} heads have {:.0f} sequences of heads, more than most_paths = {}. Hint: "
        "direct_logit_attribution takes each head as a source.",
        kOpOfPaths, model.blocks.size(), model.config().n_heads, paths, options.most_paths);
}

// What each token counts in the number to explain, (V): 1 for the token, and what is taken away.
std::vector<double> weights_of(const nn::Transformer& model, std::int32_t token, const LogitOptions& o) {
  const std::size_t V = model.config().d_vocab;
  check_token(model, token);
  std::vector<double> weights(V, o.minus_mean ? -1 / static_cast<double>(V) : 0);
  weights[static_cast<std::size_t>(token)] += 1;
  if (!o.minus) return weights;
  check(!o.minus_mean, "[{}] expected minus or minus_mean, got both.", kOpOfPaths);
  check_token(model, *o.minus);
  weights[static_cast<std::size_t>(*o.minus)] -= 1;
  return weights;
}

}  // namespace

LogitAttribution logit_attribution(const nn::Transformer& model, const IntArray& tokens, std::size_t position,
                                   std::int32_t token, const LogitOptions& options, const nn::Given& given) {
  check_one_sequence(kOpOfPaths, tokens);
  const std::size_t n = tokens.shape()[1], V = model.config().d_vocab;
  check(position < n, "[{}] expected a position 0 … {}, got {}.", kOpOfPaths, n - 1, position);
  const std::vector<double> weights = weights_of(model, token, options);
  check_paths(model, options);
  const CachedRun run = run_for_attribution(model, tokens, given);
  const Matrix U = unembedding(model);
  Matrix g({n, U.shape(0)}, 0);
  LogitAttribution result{position, token, 0, {}};
  for (std::size_t t = 0; t < V; ++t) {
    if (weights[t] == 0) continue;
    xt::row(g, position) += weights[t] * xt::col(U, t);
    result.logit += weights[t] * static_cast<double>(run.logits(0, position, t));
  }
  Paths paths(model, run);
  const nn::Norm& norm = model.ln_final;
  if (norm.b.defined()) paths.add({}, bias_source("ln_final.b", model.blocks.size()), g, norm.b.array());
  if (norm.kind != nn::NormKind::none) normalize_back(norm, run.cache["ln_final.hook_scale"], g);
  paths.down(model.blocks.size(), std::move(g), {});
  result.paths = paths.take();
  double sum = 0, largest = 0;
  for (const PathTerm& term : result.paths)
    sum += term.value, largest = std::max(largest, std::abs(term.value));
  check_sum(kOpOfPaths, sum, result.logit, largest);
  return result;
}

std::vector<PathTerm> by_writers(const LogitAttribution& attribution) {
  std::vector<PathTerm> sums;
  std::map<std::string, std::size_t> place;
  for (const PathTerm& term : attribution.paths) {
    const bool written = term.source.kind == SourceKind::mlp || term.source.kind == SourceKind::head;
    std::string key = written ? term.source.name + " " : "";
    for (const HeadAt& head : term.heads) key += head_code(head) + " ";
    const auto [found, is_new] = place.try_emplace(key, sums.size());
    if (is_new)
      sums.push_back(
          {term.heads, written ? term.source : Source{}, 0, std::vector<double>(term.by_position.size(), 0)});
    PathTerm& sum = sums[found->second];
    sum.value += term.value;
    for (std::size_t i = 0; i < term.by_position.size(); ++i) sum.by_position[i] += term.by_position[i];
  }
  return sums;
}

std::size_t PathTerm::main_position() const {
  const double sign = value < 0 ? -1 : 1;
  const auto largest = std::max_element(by_position.begin(), by_position.end(),
                                        [&](double a, double b) { return sign * a < sign * b; });
  return static_cast<std::size_t>(largest - by_position.begin());
}

}  // namespace headlight::interpret
