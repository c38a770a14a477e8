#include "headlight/interpret/patching.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"

namespace headlight::interpret {
namespace {

constexpr const char* kResidPre = "hook_resid_pre";

std::string of_block(std::size_t layer, const std::string& hook) {
  return fmt::format("blocks.{}.{}", layer, hook);
}

const char* input_hook(HeadInput input) {
  return input == HeadInput::queries ? "hook_q_input"
         : input == HeadInput::keys  ? "hook_k_input"
                                     : "hook_v_input";
}

bool is_held(const std::string& name) {
  return name.ends_with("attn.hook_z") || name.ends_with("hook_mlp_out") || name.ends_with(kResidPre) ||
         name.ends_with("hook_resid_post") || name.ends_with("hook_normalized_resid_post");
}

Tensor constant(const Array& values) { return Tensor(Array(values)); }

// x (B,n,H,d) with the stream (B,n,d) as the input of these heads.
Array with_stream(const Array& x, const Array& stream, const std::vector<std::size_t>& heads) {
  Array inputs = x;
  const std::size_t rows = x.shape()[0] * x.shape()[1], count = x.shape()[2], width = x.shape()[3];
  check(stream.size() == rows * width, "[path patching] expected a stream of {} numbers, got shape {}.",
        rows * width, stream.shape());
  for (std::size_t i = 0; i < rows; ++i)
    for (const std::size_t h : heads)
      std::copy_n(stream.data() + i * width, width, inputs.data() + (i * count + h) * width);
  return inputs;
}

// x with the change from one stream to another.
Array with_change(const Array& x, const Array& to, const Array& from) {
  check(x.shape() == to.shape() && x.shape() == from.shape(),
        "[path patching] expected streams of shape {} for the logits, got {}, and {} of the clean run.",
        x.shape(), to.shape(), from.shape());
  Array sum = x;
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += to.data()[i] - from.data()[i];
  return sum;
}

}  // namespace

nn::Hooks patch_activation(const std::string& name, const ActivationCache& from,
                           const std::vector<std::size_t>& positions) {
  const Array& other = from[name];
  return {{name, [&other, name, positions](const Tensor& x) {
             check(x.shape() == other.shape(), "[patch] '{}' has shape {} here and {} in the other run.",
                   name, x.shape(), other.shape());
             if (positions.empty()) return constant(other);
             Array mixed = x.array();
             const std::size_t n = x.length(1), rows = std::max<std::size_t>(1, x.length(0) * n),
                               width = x.size() / rows;
             for (const std::size_t i : positions) {
               check(i < n, "[patch] position {} is outside a sequence of {} tokens.", i, n);
               for (std::size_t b = 0; b < x.length(0); ++b)
                 std::copy_n(other.data() + (b * n + i) * width, width, mixed.data() + (b * n + i) * width);
             }
             return Tensor(std::move(mixed));
           }}};
}

const Registry<HeadInput>& head_inputs() {
  static const Registry<HeadInput> all("input", {{"queries", "what a head looks for", HeadInput::queries},
                                                 {"keys", "what a head finds tokens by", HeadInput::keys},
                                                 {"values", "what a head carries", HeadInput::values}});
  return all;
}

std::string receiver_code(const Receiver& r) {
  return head_code(r.head) + (r.input == HeadInput::queries ? ".q"
                              : r.input == HeadInput::keys  ? ".k"
                                                            : ".v");
}

PathPatching::PathPatching(const nn::Transformer& model, const tasks::Batch& clean,
                           const ActivationCache& other, Through through)
    : model_(model), batch_(clean), other_(other), through_(through) {
  check(model.config().architecture != nn::Architecture::encoder_decoder,
        "[path patching] expected a model of one stack, got an encoder–decoder.");
  clean_ = run_with_cache(model, clean.tokens, is_held).cache;
}

std::string PathPatching::last_stream() const {
  const bool post = model_.config().norm_place == nn::NormPlace::post;
  return of_block(model_.config().n_layers - 1, post ? "hook_normalized_resid_post" : "hook_resid_post");
}

// The senders write what they write in the other run; other heads, and MLPs unless they pass the change on,
// hold their output.
nn::Hooks PathPatching::holding(const Senders& senders) const {
  nn::Hooks hooks =
      replace_outputs(model_.config(), without(all_heads(model_.config()), senders.heads), clean_);
  hooks.add(replace_outputs(model_.config(), senders.heads, other_));
  if (model_.config().d_mlp == 0) return hooks;
  for (std::size_t layer = 0; layer < model_.config().n_layers; ++layer) {
    const std::string name = of_block(layer, "hook_mlp_out");
    const bool sends = std::find(senders.mlps.begin(), senders.mlps.end(), layer) != senders.mlps.end();
    if (sends || through_ == Through::residual_stream)
      hooks.add(name,
                [&held = sends ? other_[name] : clean_[name]](const Tensor&) { return constant(held); });
  }
  return hooks;
}

ActivationCache PathPatching::streams(const Senders& senders) const {
  const std::string last = last_stream();
  return run_with_cache(
             model_, batch_.tokens,
             [&](const std::string& name) { return name.ends_with(kResidPre) || name == last; },
             holding(senders))
      .cache;
}

nn::Hooks PathPatching::into(const std::vector<Receiver>& receivers, bool to_logits,
                             const ActivationCache& streams) const {
  const nn::TransformerConfig& c = model_.config();
  const std::size_t shared = c.n_kv_heads > 0 ? c.n_heads / c.n_kv_heads : 1;
  std::map<std::pair<std::size_t, HeadInput>, std::vector<std::size_t>> heads;
  for (const Receiver& r : receivers) {
    layer_of(c, r.head);
    heads[{r.head.layer, r.input}].push_back(r.input == HeadInput::queries ? r.head.head
                                                                           : r.head.head / shared);
  }
  nn::Hooks hooks;
  for (const auto& [place, of_layer] : heads)
    hooks.add(of_block(place.first, input_hook(place.second)),
              [&stream = streams[of_block(place.first, kResidPre)], of_layer = of_layer](const Tensor& x) {
                return Tensor(with_stream(x.array(), stream, of_layer));
              });
  if (to_logits)
    hooks.add(last_stream(), [&held = clean_[last_stream()], &sent = streams[last_stream()]](
                                 const Tensor& x) { return Tensor(with_change(x.array(), sent, held)); });
  return hooks;
}

CachedRun PathPatching::run(const Senders& senders, const std::vector<Receiver>& receivers, bool to_logits,
                            const WantedHooks& wanted) const {
  const ActivationCache sent = streams(senders);
  return run_with_cache(model_, batch_.tokens, wanted, into(receivers, to_logits, sent));
}

tasks::Batch renamed(const tasks::Batch& batch, std::size_t d_vocab, const std::vector<std::int32_t>& special,
                     Rng rng) {
  std::vector<std::int32_t> names, to(d_vocab);
  for (std::size_t v = 0; v < d_vocab; ++v) {
    to[v] = static_cast<std::int32_t>(v);
    if (std::find(special.begin(), special.end(), to[v]) == special.end()) names.push_back(to[v]);
  }
  check(names.size() >= 2, "[renamed] expected at least 2 tokens that are not special, got {}.",
        names.size());
  tasks::check_batch(batch, d_vocab);
  // A random cycle through all names has no fixed point.
  const std::vector<std::int32_t> order = rng.distinct(names.size(), names.size());
  const auto name = [&](std::size_t i) { return names[static_cast<std::size_t>(order[i % order.size()])]; };
  for (std::size_t i = 0; i < names.size(); ++i) to[static_cast<std::size_t>(name(i))] = name(i + 1);
  tasks::Batch other = batch;
  for (IntArray* tokens : {&other.tokens, &other.targets, &other.source})
    for (std::int32_t& token : *tokens)
      if (token >= 0) token = to[static_cast<std::size_t>(token)];
  return other;
}

}  // namespace headlight::interpret
