// What `./headlight show 8` draws: the eight patterns of the lesson's trained model, by the learner's layer.
#include "show.h"

#include <cmath>

#include "07_scaled_dot_product_attention/kept.h"
#include "crowd.h"
#include "exercise.h"
#include "headlight/core/rng.h"
#include "multi_head.h"
#include "trained.h"

Tensor multi_head_attention(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                            std::size_t n_heads, const Tensor& mask);

namespace solution {
namespace lesson_07 {
#include "07_scaled_dot_product_attention/solution.cpp"
}
#include "solution.cpp"
}  // namespace solution

namespace {

using lesson::kTokens;
using Layer = decltype(&multi_head_attention);

constexpr std::size_t kHeads = 4, kModel = 32, kHead = kModel / kHeads, kWide = kHead + kTokens;

// Rows (1,n,4·40) from which multi_head_attention reads the pattern off: the queries of all heads, their
// keys, and the position as a one-hot row.
Tensor readable(const interpret::CachedRun& run, std::size_t layer) {
  std::string name = interpret::pattern_name(layer);
  name.resize(name.rfind('.') + 1);
  const auto rows = [&](const char* hook) {  // (1,n,4,8) → (1,n,32)
    return reshape_to(Tensor(run.cache[name + hook]), {1, kTokens, kModel});
  };
  Array places = full_array({1, kTokens, kTokens}, 0);
  for (std::size_t i = 0; i < kTokens; ++i) places(0, i, i) = 1;
  const std::size_t rest = kHeads * kWide - 2 * kModel - kTokens;
  return concat({rows("hook_rot_q"), rows("hook_rot_k"), Tensor(places), zeros({1, kTokens, rest})}, -1);
}

// Each head takes its queries and keys out of readable(), and as its values the positions. Then the output of
// a head is its pattern. A head is 40 wide instead of 8, so the queries make up for the larger √d_head.
MultiHeadWeights reading() {
  constexpr std::size_t kAll = kHeads * kWide;
  Array Q = full_array({kAll, kAll}, 0), K = Q, V = Q, O = Q;
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t c = 0; c < kHead; ++c) {
      Q(kHead * h + c, kWide * h + c) = std::sqrt(static_cast<double>(kWide) / kHead);
      K(kModel + kHead * h + c, kWide * h + c) = 1;
    }
    for (std::size_t j = 0; j < kTokens; ++j) V(2 * kModel + j, kWide * h + kHead + j) = 1;
  }
  for (std::size_t i = 0; i < kAll; ++i) O(i, i) = 1;
  return {Tensor(Q), Tensor(K), Tensor(V), Tensor(O)};
}

// The model of the lesson on a segment of 12 tokens that repeats.
const interpret::CachedRun& trained_run() {
  static const interpret::CachedRun run = [] {
    const lesson::TrainedModel t = lesson::trained_model(90, 1000);
    const std::vector<std::int32_t> segment = Rng(3).distinct(12, kTokens);
    IntArray tokens = IntArray::from_shape({1, kTokens});
    for (std::size_t i = 0; i < kTokens; ++i) tokens(0, i) = segment[i % 12];
    return interpret::run_with_cache(*t.model, tokens);
  }();
  return run;
}

show::Drawn patterns(Layer layer, draw::ColorMode mode) {
  draw::Sheet sheet{"Eight patterns of a trained model, on 12 tokens that repeat", {}, kHeads};
  const Tensor mask = lesson_07::causal_mask_of(kTokens, kTokens);
  for (std::size_t l = 0; l < 2; ++l) {
    const Tensor x = readable(trained_run(), l), y = layer(x, x, reading(), kHeads, mask);
    for (std::size_t h = 0; h < kHeads; ++h) {
      const int first = static_cast<int>(kWide * h + kHead);
      sheet.maps.push_back(
          {reshape(slice(y, -1, first, first + static_cast<int>(kTokens)), {kTokens, kTokens}).array(),
           {},
           {},
           fmt::format("layer {}, head {}", l, h),
           visible_keys(kTokens, kTokens, {.causal = true})});
    }
  }
  return {draw::svg_sheet(sheet), draw::terminal_sheet(sheet, mode)};
}

}  // namespace

int main(int argc, char** argv) {
  return show::run(argc, argv,
                   {"patterns",
                    "Lesson 8: a trained model, read by your multi-head attention",
                    {show::panel("multi_head_attention", &multi_head_attention,
                                 &solution::multi_head_attention, patterns)}});
}
