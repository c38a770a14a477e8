#include "stream.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/nn/positions.h"

namespace headlight::interpret {
namespace {

bool is_needed(const std::string& name) {
  for (const char* end : {"hook_embed", "hook_pos_embed", "hook_scale", "hook_result", "hook_pattern",
                          "hook_attn_scores", "hook_mlp_out", "hook_resid_pre", "hook_resid_post"})
    if (name.ends_with(end)) return !name.starts_with("encoder");
  return false;
}

}  // namespace

void check_plain(const nn::Given& given) {
  check(given.cache == nullptr && !given.dropout_seed,
        "[attribution] expected a plain forward pass, got {}. Hint: give the source alone.",
        given.cache != nullptr ? "a cache of keys" : "a dropout");
}

CachedRun run_for_attribution(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given) {
  check_plain(given);
  return run_with_cache(model, tokens, is_needed, {}, given);
}

std::string block_name(std::size_t layer) { return fmt::format("blocks.{}.", layer); }

bool is_beside(const nn::Transformer& model) {
  return model.W_pos.defined() &&
         nn::positions().find(model.config().positions).place == nn::Positions::Place::queries_and_keys;
}

void normalize(const nn::Norm& norm, const Array& scale, Array& x) {
  if (norm.kind == nn::NormKind::none) return;
  const std::size_t d = x.shape().back(), rows = x.size() / d, given = scale.size();
  const Real* w = norm.w.array().data();
  for (std::size_t i = 0; i < rows; ++i) {
    Real* row = x.data() + i * d;
    double mean = 0;
    if (norm.kind == nn::NormKind::layer)
      for (std::size_t j = 0; j < d; ++j) mean += static_cast<double>(row[j]) / static_cast<double>(d);
    const auto s = static_cast<double>(scale.data()[i % given]);
    for (std::size_t j = 0; j < d; ++j)
      row[j] = static_cast<Real>((static_cast<double>(row[j]) - mean) / s * static_cast<double>(w[j]));
  }
}

void normalize_back(const nn::Norm& norm, const Array& scale, Matrix& g) {
  if (norm.kind == nn::NormKind::none) return;
  g *= norm.w.array();
  g /= xt::reshape_view(scale, {g.shape(0), std::size_t{1}});
  if (norm.kind == nn::NormKind::layer) centre_rows(g);
}

Source bias_source(const std::string& name, std::size_t layer) { return {SourceKind::bias, name, layer, {}}; }
Source mlp_source(std::size_t layer) { return {SourceKind::mlp, block_name(layer) + "mlp", layer, {}}; }
Source head_source(const HeadAt& at) { return {SourceKind::head, head_code(at), at.layer, at}; }

Array one_head(const Array& results, std::size_t head) {
  const std::size_t heads = results.shape()[2], d = results.shape()[3],
                    rows = results.shape()[0] * results.shape()[1];
  Array one = empty_array({results.shape()[0], results.shape()[1], d});
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(results.data() + (i * heads + head) * d, d, one.data() + i * d);
  return one;
}

Stream::Stream(const nn::Transformer& model, const CachedRun& run) : model_(model), run_(run) {
  const Array& embed = run.cache["hook_embed"];
  parts_.push_back({{SourceKind::embed, "embed", 0, {}}, embed});
  if (!model.W_pos.defined() || is_beside(model)) return;
  const Array& positions = run.cache["hook_pos_embed"];  // (n,d)
  Array of_all = empty_array(embed.shape());
  for (std::size_t i = 0; i < of_all.size(); ++i) of_all.data()[i] = positions.data()[i % positions.size()];
  parts_.push_back({{SourceKind::pos_embed, "pos_embed", 0, {}}, std::move(of_all)});
}

void Stream::add_constant(const std::string& name, const Tensor& b) {
  if (!b.defined()) return;
  Array x = empty_array(parts_[0].x.shape());
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = b.array().data()[i % b.size()];
  parts_.push_back({bias_source(name, layer_), std::move(x)});
}

void Stream::add_heads(const nn::MultiHeadAttention& attn, const std::string& name, Stack stack) {
  const Array& results = run_.cache[name + "hook_result"];  // (B,n,H,d)
  for (std::size_t h = 0; h < results.shape()[2]; ++h)
    parts_.push_back({head_source({layer_, h, stack}), one_head(results, h)});
  add_constant(name + "b_O", attn.b_O);
}

void Stream::norm_of_sum(const nn::Norm& norm, const std::string& name) {
  if (model_.config().norm_place != nn::NormPlace::post) return;
  parts_ = behind_norm(norm, name, layer_);
}

std::vector<Part> Stream::behind_norm(const nn::Norm& norm, const std::string& name,
                                      std::size_t layer) const {
  std::vector<Part> parts = parts_;
  if (norm.kind == nn::NormKind::none) return parts;
  for (Part& part : parts) normalize(norm, run_.cache[name + ".hook_scale"], part.x);
  if (!norm.b.defined()) return parts;
  Array shift = empty_array(parts_[0].x.shape());
  for (std::size_t i = 0; i < shift.size(); ++i) shift.data()[i] = norm.b.array().data()[i % norm.b.size()];
  parts.push_back({bias_source(name + ".b", layer), std::move(shift)});
  return parts;
}

void Stream::advance() {
  const nn::Block& block = model_.blocks[layer_];
  const std::string name = block_name(layer_);
  add_heads(block.attn, name + "attn.", Stack::self);
  norm_of_sum(block.ln1, name + "ln1");
  if (block.cross_attn) {
    add_heads(*block.cross_attn, name + "cross_attn.", Stack::cross);
    norm_of_sum(*block.ln_cross, name + "ln_cross");
  }
  if (block.mlp) {
    parts_.push_back({mlp_source(layer_), run_.cache[name + "hook_mlp_out"]});
    norm_of_sum(*block.ln2, name + "ln2");
  }
  ++layer_;
}

void check_sum(const char* op, double sum, double number, double largest) {
  const double gap = std::abs(sum - number), scale = std::max({1.0, std::abs(number), largest});
  check(
      gap <= (kDouble ? 1e-9 : 1e-5) * scale,
      "[{}] the contributions add up to {:.8g}, but the model's number is {:.8g}: a gap of {:.2g}. Hint: the "
      "model has a part that this attribution does not know.",
      op, sum, number, gap);
}

void check_one_sequence(const char* op, const IntArray& tokens) {
  check(tokens.dimension() == 2 && tokens.shape()[0] == 1, "[{}] expected one sequence (1,n), got {}.", op,
        Shape(tokens.shape().begin(), tokens.shape().end()));
}

}  // namespace headlight::interpret
