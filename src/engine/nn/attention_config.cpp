#include <algorithm>
#include <limits>

#include "headlight/core/setting_text.h"
#include "headlight/nn/attention.h"

namespace headlight::nn {
namespace {

void check_widths(const MultiHeadAttentionConfig& c) {
  check_setting(*c.d_head > 0 && *c.d_value > 0 && *c.d_memory > 0,
                "attention needs widths of at least 1, got {}, d_value = {}, d_memory = {}.",
                setting_key("d_head", *c.d_head), *c.d_value, *c.d_memory);
  constexpr std::size_t kMost = 1 << 20;
  check_setting(std::max({c.d_model, c.n_heads, *c.d_head, *c.d_value, *c.d_memory}) <= kMost,
                "attention of {}, {}, {} is too large: at most {} each.", setting_key("d_model", c.d_model),
                setting_key("n_heads", c.n_heads), setting_key("d_head", *c.d_head), kMost);
}

void check_parts(const MultiHeadAttentionConfig& c) {
  check(c.n_heads % c.n_kv_heads == 0,
        "{} heads cannot share {} heads of keys and values equally. Hint: choose a divisor of {}.", c.n_heads,
        c.n_kv_heads, c.n_heads);
  check_setting(c.qk_norm == NormKind::none || *c.d_head >= 2,
                "a norm of queries and keys needs {} of at least 2, because of one number it leaves only the "
                "sign or nothing.",
                setting_key("d_head"));
  check(c.window != 1,
        "a window of 1 shows each token only itself, so that the pattern could not learn anything. Hint: a "
        "window of 2 or more, or 0 for all.");
  check(is_score_cap(c.score_cap), "a score cap must be {} … {}, or 0 for none, got {}.",
        std::numeric_limits<Real>::min(), std::numeric_limits<Real>::max(), c.score_cap);
  check_setting(!c.fused_qkv || *c.d_memory == c.d_model,
                "{} computes queries, keys and values from one input, but keys and values have an input of "
                "width {} and queries of {}.",
                setting_key("fused_qkv"), *c.d_memory, c.d_model);
}

}  // namespace

PositionSizes position_sizes(const MultiHeadAttentionConfig& c) {
  return {.n_ctx = c.n_ctx,
          .d_model = c.d_model,
          .n_heads = c.n_heads,
          .d_head = *c.d_head,
          .max_distance = c.max_distance,
          .causal = c.causal};
}

MultiHeadAttentionConfig filled_in(MultiHeadAttentionConfig c) {
  check_setting(c.n_heads > 0, "attention needs at least one head, got {}.", setting_key("n_heads", 0));
  check_setting(c.d_model > 0, "attention needs {} of at least 1, got 0.", setting_key("d_model"));
  check_setting(c.d_head || c.d_model % c.n_heads == 0,
                "{} is not divisible by {}. Hint: choose a divisor, or set {}.",
                setting_key("d_model", c.d_model), setting_key("n_heads", c.n_heads), setting_key("d_head"));
  if (!c.d_head) c.d_head = c.d_model / c.n_heads;
  if (!c.d_value) c.d_value = c.d_head;
  if (!c.d_memory) c.d_memory = c.d_model;
  if (c.n_kv_heads == 0) c.n_kv_heads = c.n_heads;
  check_widths(c);
  check_parts(c);
  return c;
}

}  // namespace headlight::nn
