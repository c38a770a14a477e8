// Samples of attention and of rotary positions.
#include "headlight/ops/ops.h"
#include "samples.h"

namespace headlight {
namespace {

using namespace sample_inputs;

const Tensor some = Tensor(Array{0});  // where an input will stand

void attend(std::vector<Sample>& s, const std::string& what, std::vector<Tensor> inputs,
            const AttentionOptions& options) {
  // After q, k and v come the bias, the relative bias and the sinks that are defined in the options.
  const auto with = [options](const std::vector<Tensor>& x) {
    AttentionOptions o = options;
    std::size_t next = 3;
    for (Tensor* term : {&o.bias, &o.relative.values, &o.sinks})
      if (term->defined()) *term = x[next++];
    return o;
  };
  s.push_back(
      {"scaled_dot_product_attention", what, std::move(inputs),
       [with](const auto& x) { return scaled_dot_product_attention(x[0], x[1], x[2], with(x)); },
       [with](const auto& x) { return reference::scaled_dot_product_attention(x[0], x[1], x[2], with(x)); }});
}

void options_of_attention(std::vector<Sample>& s) {
  attend(s, "grouped heads, causal", {normal({2, 3, 8}), normal({2, 3, 4}), normal({2, 3, 6})},
         {.causal = true, .n_heads = 4, .n_kv_heads = 2});
  attend(s, "all heads share one of keys and values",
         {normal({2, 3, 6}), normal({2, 4, 2}), normal({2, 4, 1})}, {.n_heads = 3, .n_kv_heads = 1});
  attend(s, "sinks", {normal({2, 2, 3, 2}), normal({2, 2, 4, 2}), normal({2, 2, 4, 2}), normal({2})},
         {.sinks = some});
  attend(s, "a sink without heads, and a query that sees no key",
         {normal({4, 2}), normal({2, 2}), normal({2, 2}), normal({1})}, {.window = 2, .sinks = some});
  attend(s, "a cap", {normal({2, 3, 4}), normal({2, 3, 4}), normal({2, 3, 4})},
         {.causal = true, .n_heads = 2, .cap = 0.7});
  attend(s, "dropout", {normal({2, 4, 4}), normal({2, 5, 4}), normal({2, 5, 6})},
         {.n_heads = 2, .dropout = 0.4, .dropout_seed = 3});
  attend(s, "queries after kept keys, causal, in a window",
         {normal({2, 2, 4}), normal({2, 5, 4}), normal({2, 5, 4}), normal({1, 3})},
         {.causal = true, .window = 4, .relative = {some, 0}, .n_heads = 2, .first_query = 3});
  attend(s, "everything at once",
         {normal({2, 3, 8}), normal({2, 5, 4}), normal({2, 5, 6}), normal({4, 3, 5}), normal({4, 3}),
          normal({4})},
         {.causal = true,
          .window = 4,
          .bias = some,
          .relative = {some, 0},
          .n_heads = 4,
          .n_kv_heads = 2,
          .sinks = some,
          .cap = 1.5,
          .dropout = 0.3,
          .dropout_seed = 8,
          .first_query = 2});
}

}  // namespace

void attention_samples(std::vector<Sample>& s) {
  options_of_attention(s);
  attend(s, "single head", {normal({3, 2}), normal({3, 2}), normal({3, 2})}, {});
  attend(s, "n ≠ m, d_v ≠ d_k", {normal({2, 2, 3, 4}), normal({2, 2, 5, 4}), normal({2, 2, 5, 3})}, {});
  attend(s, "causal", {normal({2, 4, 2}), normal({2, 4, 2}), normal({2, 4, 2})}, {.causal = true});
  attend(s, "causal, n < m", {normal({2, 2}), normal({4, 2}), normal({4, 2})}, {.causal = true});
  attend(s, "heads side by side, causal", {normal({2, 3, 4}), normal({2, 3, 4}), normal({2, 3, 6})},
         {.causal = true, .n_heads = 2});
  attend(s, "a scale of its own", {normal({3, 2}), normal({3, 2}), normal({3, 2})}, {.scale = 0.3});
  BoolArray padding = mask({2, 1, 1, 4});
  padding(0, 0, 0, 0) = padding(1, 0, 0, 0) = true;
  attend(s, "key padding", {normal({2, 2, 3, 2}), normal({2, 2, 4, 2}), normal({2, 2, 4, 2})},
         {.mask = padding});
  BoolArray rows({3, 4}, true);
  for (std::size_t j = 0; j < 4; ++j) rows(1, j) = false;
  attend(s, "a fully masked row", {normal({2, 3, 2}), normal({2, 4, 2}), normal({2, 4, 2})}, {.mask = rows});
  attend(s, "bias for each head",
         {normal({2, 2, 3, 2}), normal({2, 2, 4, 2}), normal({2, 2, 4, 2}), normal({2, 3, 4})},
         {.bias = some});
  attend(s, "bias of one row, causal",
         {normal({2, 3, 4}), normal({2, 3, 4}), normal({2, 3, 4}), normal({1, 3})},
         {.causal = true, .bias = some, .n_heads = 2});
  attend(s, "a window", {normal({2, 5, 2}), normal({2, 5, 2}), normal({2, 5, 2})}, {.window = 2});
  attend(s, "relative bias for each head, clipped at both ends",
         {normal({2, 4, 4}), normal({2, 5, 4}), normal({2, 5, 4}), normal({2, 4})},
         {.relative = {some, -2}, .n_heads = 2});
  attend(s, "relative bias for all heads, causal, in a window, with a dense bias",
         {normal({1, 2, 4, 2}), normal({1, 2, 4, 2}), normal({1, 2, 4, 2}), normal({4, 4}), normal({1, 3})},
         {.causal = true, .window = 3, .bias = some, .relative = {some, 0}});
  attend(s, "relative bias of one head", {normal({3, 2}), normal({4, 2}), normal({4, 2}), normal({1, 7})},
         {.relative = {some, -3}});
  const Tensor same = normal({2, 3, 4});
  s.push_back({"scaled_dot_product_attention",
               "q = k = v",
               {same},
               [](const auto& x) { return scaled_dot_product_attention(x[0], x[0], x[0], {.causal = true}); },
               [](const auto& x) {
                 return reference::scaled_dot_product_attention(x[0], x[0], x[0], {.causal = true});
               }});
  const RotaryTable table = rotary_table(5, 4);
  s.push_back(
      {"rotary", "two heads", {normal({2, 3, 8})}, [table](const auto& x) { return rotary(x[0], table); }});
  s.push_back({"rotary", "inverse", {normal({1, 5, 4})}, [table](const auto& x) {
                 return rotary(x[0], table, true);
               }});
}

}  // namespace headlight
