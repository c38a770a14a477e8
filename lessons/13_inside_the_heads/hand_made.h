// Models with weights set by hand, for part 5 of exercise 13: what is true of each is known. Two heads a
// layer, and what is measured of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "evidence.h"
#include "headlight/interpret/patching.h"
#include "headlight/interpret/repeated_sequences.h"
#include "headlight/nn/by_hand.h"
#include "headlight/tasks/task.h"
#include "headlight/train/evaluate.h"

namespace hand_made {

using namespace headlight;
using interpret::HeadInput, interpret::HeadSet, nn::Broken;

inline constexpr std::size_t kSize = 24;  // of vocabulary and context

inline nn::InductionByHand options(Broken broken = Broken::nothing, std::size_t offset = 0) {
  return {.d_vocab = kSize, .n_ctx = kSize, .n_heads = 2, .broken = broken, .offset = offset};
}
inline nn::Transformer model(Broken broken = Broken::nothing, std::size_t offset = 0) {
  return nn::induction_by_hand(options(broken, offset));
}

// The weights of head 0 of `from` become those of head `head` of `to`.
inline void copy_head(const nn::MultiHeadAttention& from, nn::MultiHeadAttention& to, std::size_t head) {
  const std::size_t width = 2 * kSize, d = from.W_Q.length(0);  // of a head, and of the stream
  const auto columns = [&](const Tensor& x, Tensor& y) {
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < width; ++j) y.mutable_array()(i, head * width + j) = x.array()(i, j);
  };
  columns(from.W_Q, to.W_Q), columns(from.W_K, to.W_K), columns(from.W_V, to.W_V);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < d; ++j) to.W_O.mutable_array()(head * width + i, j) = from.W_O.array()(i, j);
}

// An identity matrix, or nothing, between the head's coordinates of tokens and those of the stream.
inline void writes(nn::MultiHeadAttention& attention, std::size_t head, const nn::Coordinates* to) {
  Array& W = attention.W_O.mutable_array();
  for (std::size_t i = 0; i < 2 * kSize; ++i)
    for (std::size_t j = 0; j < W.shape()[1]; ++j)
      W(head * 2 * kSize + i, j) = to && i < kSize && j == to->first + i ? 1 : 0;
}

// Head 0 of layer 0 carries each token by + 1 places on into the keys, head 1 carries it by places on, and
// layer 1 reads its values there.
inline nn::Transformer shifted(std::size_t by) {
  nn::Transformer made = model();
  const nn::StreamByHand stream = nn::stream_by_hand(options());
  const nn::Coordinates carried{stream.pointer.first, kSize};
  nn::MultiHeadAttention& first = made.blocks[0].attn;
  copy_head(model(Broken::position_only, by + 1).blocks[1].attn, first, 0);
  copy_head(model(Broken::position_only, by).blocks[1].attn, first, 1);
  writes(first, 0, &stream.previous), writes(first, 1, &carried);
  Array& W_V = made.blocks[1].attn.W_V.mutable_array();
  for (std::size_t i = 0; i < kSize; ++i) {
    W_V(stream.token.first + i, i) = 0;
    W_V(carried.first + i, i) = 1;
  }
  return made;
}

// Two heads in layer 1 that do the same.
inline nn::Transformer doubled() {
  nn::Transformer made = model();
  copy_head(model().blocks[1].attn, made.blocks[1].attn, 1);
  return made;
}

// Head 1 of layer 1 looks at the follower and writes nothing; head 0 looks a fixed distance back, and writes.
inline nn::Transformer onlooker(std::size_t offset) {
  nn::Transformer made = model(Broken::position_only, offset);
  copy_head(model().blocks[1].attn, made.blocks[1].attn, 1);
  writes(made.blocks[1].attn, 1, nullptr);
  return made;
}

// Shifted induction in head 0 of layer 1. Head 1 looks a fixed distance back, and writes nothing.
inline nn::Transformer distracted(std::size_t by, std::size_t offset) {
  nn::Transformer made = shifted(by);
  copy_head(model(Broken::position_only, offset).blocks[1].attn, made.blocks[1].attn, 1);
  writes(made.blocks[1].attn, 1, nullptr);
  return made;
}

// The repeat task with segments of 7 … 12 tokens, or of one length.
inline tasks::Task task(std::size_t period = 0) {
  tasks::Task made = tasks::make_task(
      {.name = "repeat", .d_vocab = kSize, .n_ctx = kSize, .min_segment = 7, .max_segment = 12});
  if (period > 0) made.training = [make = made.with_segment, period](Rng& rng) { return make(period, rng); };
  return made;
}

// With two decimals, which are easier to read, and by which two heads that look nearly as much look the same.
inline double rounded(double x) { return std::round(100 * x) / 100; }

inline Evidence measured(const nn::Transformer& model, const tasks::Task& task) {
  const interpret::RepeatedSequences repeats = *interpret::own_repeats(task, 24, Rng(5));
  const tasks::Batch& batch = repeats.repeated;
  const auto is_pattern = [](const std::string& name) { return name.ends_with("1.attn.hook_pattern"); };
  const auto with = interpret::run_with_cache(model, batch.tokens, is_pattern).cache;
  const auto without = interpret::run_with_cache(model, repeats.control.tokens, is_pattern).cache;
  const HeadSet last{{1, 0}, {1, 1}}, early{{0, 0}, {0, 1}};
  Evidence e;
  HeadSet lookers;
  double widest = -1;
  for (std::size_t by = 0; by < 6; ++by) {
    const interpret::RepeatedSequences there = by == 0 ? repeats : interpret::moved(repeats, by);
    const auto looks = interpret::weight_on_followers(there, with, model.config(), last);
    const auto control = interpret::weight_on_followers(there, without, model.config(), last);
    const double gaps[] = {rounded(looks[0] - control[0]), rounded(looks[1] - control[1])};
    const std::size_t best = gaps[1] > gaps[0] || (gaps[1] == gaps[0] && looks[1] > looks[0]) ? 1 : 0;
    e.looks.push_back(rounded(looks[best])), e.control.push_back(rounded(control[best]));
    if (gaps[best] <= widest) continue;
    widest = gaps[best];
    lookers = {last[best]};
    if (gaps[1 - best] > 0.3) lookers.push_back(last[1 - best]);
  }
  const auto accuracy = [&](const nn::Hooks& hooks) {
    return rounded(*train::evaluate(model, batch, hooks).accuracy_predictable);
  };
  const auto means = interpret::mean_outputs(model, batch);
  e.accuracy = accuracy({});
  e.without_one = accuracy(interpret::replace_outputs(model.config(), {lookers[0]}, means));
  e.without_all = accuracy(interpret::replace_outputs(model.config(), lookers, means));
  const auto sent = interpret::outputs_of(model, repeats.control);
  const interpret::PathPatching paths(model, batch, sent);
  const auto patched = [&](HeadInput input) {
    const auto run = paths.run({early}, {{last[0], input}, {last[1], input}});
    return rounded(*train::evaluate(run.logits, batch).accuracy_predictable);
  };
  e.queries_patched = patched(HeadInput::queries), e.keys_patched = patched(HeadInput::keys);
  return e;
}

}  // namespace hand_made
