// What people get wrong in parts 1 and 2 of exercise 13: ablation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"
#include "headlight/interpret/hooks.h"
#include "headlight/tasks/batch.h"

namespace mistakes {

using grader::Made, grader::Slip;
using Heads = std::vector<interpret::HeadAt>;
using MeanAblated = std::function<Tensor(const Tensor&, const Tensor&, std::size_t)>;
using LossRise = std::function<double(const nn::Transformer&, const tasks::Batch&, const Heads&)>;

inline constexpr const char *kOff = "Ablation", *kWay = "Path patching", *kLogit = "Direct logit attribution",
                            *kCertificate = "The certificate", *kRiddle = "Accuracy 1, and no induction head";

// 1 for the head, 0 for the others. With a mistake that many make, the number of the head is taken for that
// of a position.
inline Tensor only(const Made& made, const Tensor& z, std::size_t head) {
  const bool position = made("position-for-head");
  Array here = Array::from_shape(position ? Shape{z.length(1), 1, 1} : Shape{z.length(2), 1});
  here.fill(0);
  here.data()[head] = 1;
  return Tensor(here);
}
inline Tensor put(const Made& made, const Tensor& z, const Tensor& instead, std::size_t head) {
  return z + only(made, z, head) * (instead - z);
}

// ---- Part 1 ----

inline Tensor mean_put_there(const Made& made, const Tensor& z, const Tensor& reference) {
  const Tensor& from = made("mean-of-the-run-itself") ? z : reference;
  if (made("zero-for-the-mean")) return z * 0;
  if (made("mean-over-positions")) return slice(mean(from, {1}, true), 0, 0, 1);
  if (made("one-mean-for-all-positions")) return mean(from, {0, 1}, true);
  if (made("mean-over-heads")) return mean(from, {0, 2}, true);
  if (made("mean-over-numbers")) return mean(from, {0, 3}, true);
  if (made("one-sequence-for-the-mean")) return slice(from, 0, 0, 1);
  return made("sum-for-the-mean") ? sum(from, {0}, true) : mean(from, {0}, true);
}

inline Tensor mean_ablated(const Made& made, const Tensor& z, const Tensor& reference, std::size_t head) {
  if (made("z-and-reference-exchanged"))
    return reference + only(made, reference, head) * (mean(z, {0}, true) - reference);
  const Tensor instead = mean_put_there(made, z, reference);
  if (made("all-heads")) return z * 0 + instead;
  const Tensor here = made("all-but-this-head") ? 1 - only(made, z, head) : only(made, z, head);
  if (made("mean-subtracted")) return z - here * instead;
  return z + here * (made("added-to-the-output") ? instead : instead - z);
}

inline const std::vector<Slip> kOfMeanAblated = {
    {"mean-over-positions",
     "You take the mean over the positions of each sequence. Take it over the sequences, and keep the "
     "positions apart: what a head always writes at a position is not information about the tokens.",
     kOff},
    {"one-mean-for-all-positions",
     "You take one mean over sequences and positions. Each position has a mean of its own, over the "
     "sequences alone.",
     kOff},
    {"zero-for-the-mean",
     "You put zeros in the head's place. That is zero ablation, which also takes away what the head writes "
     "in every sequence. Put the reference's mean there.",
     kOff},
    {"mean-of-the-run-itself",
     "You take the mean of z, the run that is changed. The mean must come from the reference.", kOff},
    {"z-and-reference-exchanged",
     "You exchanged z and the reference. z is what changes; the mean comes from the reference.", kOff},
    {"one-sequence-for-the-mean",
     "You put the output on the reference's first sequence in the head's place. That is a resampled output, "
     "which still says something of one sequence's tokens. Take the mean over all sequences.",
     kOff},
    {"all-heads", "You replace all heads. Only the given one changes.", kOff},
    {"all-but-this-head", "You replace the other heads and keep the one that shall be ablated.", kOff},
    {"position-for-head",
     "You replace the position with the number of the head, for all heads. z is (B,n,heads,d_head): the "
     "heads are axis 2.",
     kOff},
    {"mean-over-heads", "You average the heads too. The mean is that of this head alone, over the sequences.",
     kOff},
    {"mean-over-numbers", "You average the numbers of the head too. The mean is over the sequences alone.",
     kOff},
    {"added-to-the-output",
     "You add the mean to the head's output. It takes the output's place: what the head says must be gone.",
     kOff},
    {"mean-subtracted",
     "You subtract the mean from the head's output. It takes the output's place: what the head says must be "
     "gone.",
     kOff},
    {"sum-for-the-mean", "You put the sum over the sequences there. Divide by their number.", kOff}};

// ---- Part 2 ----

// Which positions count in the loss.
inline bool counts(const Made& made, bool predictable) {
  return made("all-positions") || predictable != made("unpredictable-positions");
}
inline double loss_on(const Made& made, const Tensor& logits, const tasks::Batch& batch) {
  IntArray targets = batch.targets;
  double counted = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (counts(made, batch.predictable.data()[i]))
      ++counted;
    else
      targets.data()[i] = -1;
  }
  const double loss = cross_entropy(logits, targets, {.ignore_index = -1}).item();
  if (made("sums-for-means")) return loss * counted;
  return made("divided-by-all-positions") ? loss * counted / static_cast<double>(targets.size()) : loss;
}

inline Tensor logits_without(const Made& made, const nn::Transformer& model, const tasks::Batch& batch,
                             const Heads& heads) {
  const auto intact = interpret::run_with_cache(model, batch.tokens).cache;
  nn::Hooks hooks;
  for (const interpret::HeadAt& each : heads) {
    const std::string name = solution::z_name(made("always-layer-1") ? 1 : each.layer);
    hooks.add(name, [made, reference = Tensor(intact[name]), head = each.head](const Tensor& z) {
      if (made("zero-for-the-mean")) return put({}, z, z * 0, head);
      return solution::mean_ablated(z, made("reference-from-the-ablated-run") ? z : reference, head);
    });
  }
  return interpret::run_with_hooks(model, batch.tokens, hooks);
}

inline double loss_rise(const Made& made, const nn::Transformer& model, const tasks::Batch& batch,
                        const Heads& heads) {
  const auto rise = [&](const Heads& some) {
    const double ablated = loss_on(made, logits_without(made, model, batch, some), batch);
    if (made("loss-for-rise")) return ablated;
    const double intact = loss_on(made("intact-over-all-positions") ? Made{{"all-positions"}} : made,
                                  interpret::run_with_hooks(model, batch.tokens, {}), batch);
    if (made("ratio-for-rise")) return ablated / intact;
    if (made("share-of-the-loss")) return (ablated - intact) / intact;
    return made("fall-for-rise") ? intact - ablated : ablated - intact;
  };
  if (made("only-the-last-head")) return rise({heads.back()});
  if (made("only-the-first-head")) return rise({heads.front()});
  if (!made("one-head-at-a-time") && !made("mean-of-single-heads")) return rise(heads);
  double all = 0;
  for (const interpret::HeadAt& each : heads) all += rise({each});
  return made("mean-of-single-heads") ? all / static_cast<double>(heads.size()) : all;
}

inline const std::vector<Slip> kOfLossRise = {
    {"zero-for-the-mean",
     "You put zeros in the heads' places. Mean ablation puts the mean over the sequences there: use your "
     "mean_ablated.",
     kOff},
    {"one-head-at-a-time",
     "You ablate each head alone and add up what that costs. Heads stand in for each other, so ablate all of "
     "them in one run: a hook for each in the same nn::Hooks.",
     kOff},
    {"mean-of-single-heads",
     "You ablate each head alone and take the mean of what that costs. Heads stand in for each other, so ablate "
     "all of them in one run: a hook for each in the same nn::Hooks.",
     kOff},
    {"sums-for-means", "Your losses are sums over the positions. Take the mean, as cross_entropy does.",
     kOff},
    {"share-of-the-loss",
     "You divide the rise by the loss without ablation. The rise itself is asked for, a difference.", kOff},
    {"only-the-last-head", "Only the last head of the list is ablated. All must be, in one run.", kOff},
    {"only-the-first-head", "Only the first head of the list is ablated. All must be, in one run.", kOff},
    {"always-layer-1",
     "Your hooks are all on layer 1. Each head of the list has a layer of its own: "
     "blocks.{layer}.attn.hook_z.",
     kOff},
    {"all-positions",
     "Your loss is over all positions. Where nothing can be predicted a head cannot help, and its loss hides "
     "what the ablation does. Count only where batch.predictable is true.",
     kOff},
    {"unpredictable-positions",
     "Your loss is over the positions that cannot be predicted. Count where batch.predictable is true.",
     kOff},
    {"divided-by-all-positions",
     "You divide the loss by the number of all positions. It is the mean over those where batch.predictable "
     "is true.",
     kOff},
    {"intact-over-all-positions",
     "Your loss without ablation is over all positions, that with the heads ablated over predictable ones. "
     "Take both over the same: where batch.predictable is true.",
     kOff},
    {"ratio-for-rise",
     "You divide the loss with the heads ablated by the loss without. Subtract: the rise is a difference.",
     kOff},
    {"fall-for-rise",
     "Your sign is turned: you subtract the loss with the heads ablated from the loss without.", kOff},
    {"loss-for-rise",
     "You return the loss with the heads ablated. The rise is this loss less that of the intact model.",
     kOff},
    {"reference-from-the-ablated-run",
     "Your hook takes the mean of the z that it is given. In layer 1 this z has already changed, because "
     "heads of layer 0 are ablated. Take the reference from a run in which nothing is ablated.",
     kOff}};

}  // namespace mistakes
