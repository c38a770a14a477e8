// Models that make no sense are refused in a sentence that says why.
#include <cmath>
#include <cstdint>

#include "catch.h"
#include "headlight/nn/check_model.h"
#include "headlight/nn/transformer.h"

using namespace headlight;
using namespace headlight::nn;

TEST_CASE("parts that do not fit together are refused in a sentence that says why", "[nn][refusals]") {
  struct Refusal {
    TransformerConfig config;
    std::string sentence;
  };
  const std::vector<Refusal> refusals{
      {{.n_layers = 0}, "at least one layer"},
      {{.n_layers = 257}, "n_layers = 257 is too large: a transformer has at most 256 layers."},
      {{.n_ctx = 0}, "at least one position"},
      {{.n_heads = 0}, "at least one head"},
      {{.d_model = 64, .n_heads = 5}, "d_model = 64 is not divisible by n_heads = 5"},
      {{.d_model = 6, .n_heads = 2},
       "rotary positions turn pairs of coordinates, so d_head must be even; it is 3"},
      {{.positions = "relative", .max_distance = 0}, "would give all distances one number"},
      {{.positions = "t5", .max_distance = 3}, "t5 positions with max_distance = 3 have too few buckets"},
      {{.positions = "learned-qk", .fused_qkv = true}, "positions 'learned-qk' give values another input"},
      {{.positions = "sideways"}, "unknown kind of positions 'sideways'"},
      {{.n_heads = 4, .n_kv_heads = 3}, "4 heads cannot share 3 heads of keys and values equally"},
      {{.n_heads = 2, .n_kv_heads = 4}, "2 heads cannot share 4 heads"},
      {{.norm = NormKind::none, .norm_place = NormPlace::post}, "need a kind of norm, but norm is 'none'"},
      {{.d_model = 4, .n_heads = 4, .positions = "none", .qk_norm = NormKind::rms},
       "needs d_head of at least 2"},
      {{.window = 1}, "a window of 1 shows each token only itself"},
      {{.positions = "relative", .max_distance = std::size_t{1} << 31},
       "is too large for relative positions"},
      {{.positions = "relative", .max_distance = SIZE_MAX}, "is too large for relative positions"},
      {{.score_cap = -1}, "or 0 for none, got -1"},
      {{.score_cap = 1e-320}, "or 0 for none, got 1e-320"},
      {{.score_cap = HUGE_VAL}, "or 0 for none, got inf"},
      {{.dropout = 1}, "dropout must be at least 0 and below 1, got 1"},
      {{.mlp = "swiglu"}, "the model has no MLPs (d_mlp = 0), so mlp = swiglu would do nothing"},
      {{.d_mlp = 8, .mlp = "gleu"}, "unknown kind of MLP 'gleu'"}};
  for (const auto& [config, sentence] : refusals) {
    Rng rng(1);
    const TransformerConfig& c = config;
    const std::string early = error_of([&] { check_model(c); });
    INFO(early);
    CHECK(contains(early, sentence));
    CHECK(early == error_of([&] { Transformer model(c, rng); }));
  }
}

TEST_CASE("attention refuses what it cannot compute", "[nn][refusals]") {
  Rng rng(1);
  const auto message = [&](const MultiHeadAttentionConfig& c) {
    return error_of([&] { MultiHeadAttention attention(c, rng); });
  };
  const MultiHeadAttention layer({.d_model = 4, .n_heads = 2}, rng);
  CHECK(contains(error_of([&] {
                   layer(Tensor(full_array({1, 3, 4}, 1)), {.n_heads = 2});
                 }),
                 "n_heads, n_kv_heads, sinks and cap of a call are the layer's"));
  for (const char* positions : {"alibi", "t5", "rotary"})
    CHECK(contains(message({.positions = positions, .n_ctx = SIZE_MAX / 2 + 2}), "positions is too long"));
  CHECK(contains(message({.d_memory = 32, .fused_qkv = true}), "from one input"));
  CHECK(contains(message({.positions = "rotary"}), "needs the number of positions, got n_ctx = 0"));
  const MultiHeadAttention attention({.d_model = 4, .n_heads = 2, .positions = "alibi", .n_ctx = 3}, rng);
  CHECK(contains(error_of([&] {
                   attention(zeros({1, 2, 4}), {.relative = {zeros({1, 1})}});
                 }),
                 "the positions 'alibi' have their own"));
}
