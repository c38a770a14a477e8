// What people get wrong in part 3 of exercise 13: path patching.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mistakes.h"

namespace mistakes {

using KeysPatched =
    std::function<Tensor(const nn::Transformer&, const IntArray&, const IntArray&, std::size_t, std::size_t)>;

inline constexpr const char *kQueries = "blocks.1.hook_q_input", *kKeys = "blocks.1.hook_k_input",
                            *kValues = "blocks.1.hook_v_input";

// The inputs of layer 1 that see the change.
inline std::vector<std::string> changed_inputs(const Made& made) {
  if (made("into-queries")) return {kQueries};
  if (made("into-values")) return {kValues};
  if (made("leaks-into-queries-and-values")) return {kQueries, kKeys, kValues};
  if (made("leaks-into-values")) return {kKeys, kValues};
  return {kKeys};
}

// The hook of the second run: what the sender writes on other tokens.
inline nn::Hooks sending(const Made& made, const Tensor& other, std::size_t sender) {
  return {{solution::z_name(0), [=](const Tensor& z) {
             const Tensor instead = made("zero-for-the-others") ? z * 0 : other;
             if (made("all-but-the-sender")) return put(made, instead, z, sender);
             return made("all-senders") ? instead : put(made, z, instead, sender);
           }}};
}

inline Tensor keys_patched(const Made& made, const nn::Transformer& m, const IntArray& tokens,
                           const IntArray& others, std::size_t s, std::size_t r) {
  const bool exchanged = made("runs-exchanged");
  const IntArray &read = exchanged ? others : tokens,
                 &written = exchanged || made("clean-output-kept") ? tokens : others;
  const std::size_t sender = made("heads-exchanged") ? r : s, receiver = made("heads-exchanged") ? s : r;
  const Tensor other(interpret::run_with_cache(m, written).cache[solution::z_name(0)]);
  const nn::Hooks hooks = sending(made, other, sender);
  if (made("all-paths")) return interpret::run_with_hooks(m, read, hooks);
  const bool whole = made("whole-stream-of-the-others");
  const auto run = interpret::run_with_cache(m, whole ? others : read, {}, whole ? nn::Hooks{} : hooks);
  nn::Hooks into;
  for (const std::string& name : changed_inputs(made))
    into.add(name, [=, seen = Tensor(run.cache[name])](const Tensor& x) {
      if (made("all-but-the-receiver")) return put(made, seen, x, receiver);
      return made("all-receivers") ? seen : put(made, x, seen, receiver);
    });
  return interpret::run_with_hooks(m, made("last-run-on-the-others") ? others : read, into);
}

inline const std::vector<Slip> kOfKeysPatched = {
    {"into-queries",
     "You patch the receiver's queries. The path ends in its keys: \"blocks.1.hook_k_input\".", kWay},
    {"into-values",
     "You patch the receiver's values: what it carries, not where it looks. The path ends in its keys.",
     kWay},
    {"leaks-into-queries-and-values",
     "The change reaches the receiver's queries and values too. Only its keys may see it: hook "
     "\"blocks.1.hook_k_input\" alone.",
     kWay},
    {"leaks-into-values", "The change reaches the receiver's values too. Only its keys may see it.", kWay},
    {"all-paths",
     "You replace the sender's output in the run itself, so the change takes every path: all heads of layer "
     "1, and the direct one to the logits. That is activation patching. Let a first run compute the stream "
     "with the change, and give it to the receiver's keys in a second run, in which the sender is as it was.",
     kWay},
    {"all-receivers",
     "The keys of all heads of layer 1 see the change. Only the receiver's may: hook_k_input has an axis of "
     "heads.",
     kWay},
    {"all-but-the-receiver",
     "The keys of all heads of layer 1 but the receiver see the change. Only the receiver's may.", kWay},
    {"all-but-the-sender",
     "All heads of layer 0 but the sender write what they write on the other tokens. Only the sender may.",
     kWay},
    {"all-senders", "All heads of layer 0 write what they write on the other tokens. Only the sender may.",
     kWay},
    {"whole-stream-of-the-others",
     "The keys are made of the whole stream on the other tokens, with their embeddings. Only what the sender "
     "writes may come from there; the run that makes the stream reads `tokens`.",
     kWay},
    {"last-run-on-the-others", "Your last run reads `others`. All three runs but the first read `tokens`.",
     kWay},
    {"clean-output-kept",
     "The sender's clean output is still there. In the run that makes the stream no hook acts "
     "on the hook_z of layer 0, or its z comes from `tokens` too, or you exchange positions "
     "(axis 1) in place of heads (axis 2).",
     kWay},
    {"zero-for-the-others",
     "You take the sender's output out of the keys. Put there what it writes on `others`.", kWay},
    {"runs-exchanged",
     "The model reads `others`, and the sender writes what it writes on `tokens`. It is the other way round.",
     kWay},
    {"heads-exchanged",
     "You take the sender for the receiver. `sender` is a head of layer 0, `receiver` one of layer 1.",
     kWay}};

}  // namespace mistakes
