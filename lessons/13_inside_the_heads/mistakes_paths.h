// What people get wrong in part 3 of exercise 13: path patching.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using KeysPatched = Tensor (*)(const nn::Transformer&, const IntArray&, const IntArray&, std::size_t,
                               std::size_t);

inline constexpr const char *kQueries = "blocks.1.hook_q_input", *kKeys = "blocks.1.hook_k_input",
                            *kValues = "blocks.1.hook_v_input";

// Hooks for a run on `tokens` in which these heads of layer 0 (all, if empty) write what they write on
// others.
inline nn::Hooks sending(const nn::Transformer& model, const IntArray& others,
                         const std::vector<std::size_t>& senders) {
  const Tensor other(interpret::run_with_cache(model, others).cache[solution::z_name(0)]);
  return {{solution::z_name(0), [=](const Tensor& z) {
             if (senders.empty()) return other;
             Tensor mixed = z;
             for (const std::size_t head : senders) mixed = put(mixed, other, head);
             return mixed;
           }}};
}

// The logits on `tokens` when these inputs of the receivers (all heads, if empty) see the stream of a run on
// `from` with hooks.
inline Tensor receiving(const nn::Transformer& model, const IntArray& tokens, const IntArray& from,
                        const nn::Hooks& hooks, const std::vector<std::string>& inputs,
                        const std::vector<std::size_t>& receivers) {
  nn::Hooks into;
  for (const std::string& name : inputs) {
    const Tensor seen(interpret::run_with_cache(model, from, {}, hooks).cache[name]);
    into.add(name, [=](const Tensor& x) {
      if (receivers.empty()) return seen;
      Tensor mixed = x;
      for (const std::size_t head : receivers) mixed = put(mixed, seen, head);
      return mixed;
    });
  }
  return interpret::run_with_hooks(model, tokens, into);
}

inline const std::vector<Mistake<KeysPatched>> kOfKeysPatched = {
    {"into-queries",
     "You patch the receiver's queries. The path ends in its keys: \"blocks.1.hook_k_input\".", kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) { return receiving(m, tokens, tokens, sending(m, others, {s}), {kQueries}, {r}); }},
    {"into-values",
     "You patch the receiver's values: what it carries, not where it looks. The path ends in its keys.", kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) { return receiving(m, tokens, tokens, sending(m, others, {s}), {kValues}, {r}); }},
    {"leaks-into-queries-and-values",
     "The change reaches the receiver's queries and values too. Only its keys may see it: hook "
     "\"blocks.1.hook_k_input\" alone.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) {
       return receiving(m, tokens, tokens, sending(m, others, {s}), {kQueries, kKeys, kValues}, {r});
     }},
    {"leaks-into-values", "The change reaches the receiver's values too. Only its keys may see it.", kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) {
       return receiving(m, tokens, tokens, sending(m, others, {s}), {kKeys, kValues}, {r});
     }},
    {"all-paths",
     "You replace the sender's output in the run itself, so the change takes every path: all heads of layer "
     "1, and the direct one to the logits. That is activation patching. Let a first run compute the stream "
     "with the change, and give it to the receiver's keys in a second run, in which the sender is as it was.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t) { return interpret::run_with_hooks(m, tokens, sending(m, others, {s})); }},
    {"all-receivers",
     "The keys of all heads of layer 1 see the change. Only the receiver's may: hook_k_input has an axis of "
     "heads.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t) { return receiving(m, tokens, tokens, sending(m, others, {s}), {kKeys}, {}); }},
    {"all-senders", "All heads of layer 0 write what they write on the other tokens. Only the sender may.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t,
        std::size_t r) { return receiving(m, tokens, tokens, sending(m, others, {}), {kKeys}, {r}); }},
    {"whole-stream-of-the-others",
     "The keys are made of the whole stream on the other tokens, with their embeddings. Only what the sender "
     "writes may come from there; the run that makes the stream reads `tokens`.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t,
        std::size_t r) { return receiving(m, tokens, others, {}, {kKeys}, {r}); }},
    {"clean-output-kept",
     "Your logits are those of a plain run: the sender's clean output is still in the keys. Either the hook "
     "on hook_z is missing in the run that makes the stream, or its z comes from `tokens` too.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray&, std::size_t, std::size_t) {
       return interpret::run_with_hooks(m, tokens, {});
     }},
    {"zero-for-the-others",
     "You take the sender's output out of the keys. Put there what it writes on `others`.", kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray&, std::size_t s, std::size_t r) {
       const nn::Hooks off{{solution::z_name(0), [=](const Tensor& z) { return put(z, z * 0, s); }}};
       return receiving(m, tokens, tokens, off, {kKeys}, {r});
     }},
    {"runs-exchanged",
     "The model reads `others`, and the sender writes what it writes on `tokens`. It is the other way round.",
     kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) { return receiving(m, others, others, sending(m, tokens, {s}), {kKeys}, {r}); }},
    {"heads-exchanged",
     "You take the sender for the receiver. `sender` is a head of layer 0, `receiver` one of layer 1.", kWay,
     [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
        std::size_t r) { return receiving(m, tokens, tokens, sending(m, others, {r}), {kKeys}, {s}); }}};

}  // namespace mistakes
