// What people get wrong in parts 1 and 2 of exercise 13: ablation.
#pragma once

#include <string>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/interpret/hooks.h"
#include "headlight/tasks/batch.h"

namespace mistakes {

using grader::Mistake;
using Heads = std::vector<interpret::HeadAt>;
using MeanAblated = Tensor (*)(const Tensor&, const Tensor&, std::size_t);
using LossRise = double (*)(const nn::Transformer&, const tasks::Batch&, const Heads&);

inline constexpr const char *kOff = "Ablation", *kWay = "Path patching", *kLogit = "Direct logit attribution",
                            *kCertificate = "The certificate", *kRiddle = "Accuracy 1, and no induction head";

// 1 for the head, 0 for the others.
inline Tensor only(const Tensor& z, std::size_t head) {
  Array here = Array::from_shape({z.length(2), std::size_t{1}});
  here.fill(0);
  here(head, 0) = 1;
  return Tensor(here);
}
inline Tensor put(const Tensor& z, const Tensor& instead, std::size_t head) {
  return z + only(z, head) * (instead - z);
}

inline const std::vector<Mistake<MeanAblated>> kOfMeanAblated = {
    {"mean-over-positions",
     "You take the mean over the positions of each sequence. Take it over the sequences, and keep the "
     "positions apart: what a head always writes at a position is not information about the tokens.",
     kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return put(z, slice(mean(reference, {1}, true), 0, 0, 1), head);
     }},
    {"one-mean-for-all-positions",
     "You take one mean over sequences and positions. Each position has a mean of its own, over the "
     "sequences alone.",
     kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return put(z, mean(reference, {0, 1}, true), head);
     }},
    {"zero-for-the-mean",
     "You put zeros in the head's place. That is zero ablation, which also takes away what the head writes "
     "in every sequence. Put the reference's mean there.",
     kOff, [](const Tensor& z, const Tensor&, std::size_t head) { return put(z, z * 0, head); }},
    {"mean-of-the-run-itself",
     "You take the mean of z, the run that is changed. The mean must come from the reference.", kOff,
     [](const Tensor& z, const Tensor&, std::size_t head) { return put(z, mean(z, {0}, true), head); }},
    {"one-sequence-for-the-mean",
     "You put the output on the reference's first sequence in the head's place. That is a resampled "
     "output, which still says something of one sequence's tokens. Take the mean over all sequences.",
     kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return put(z, slice(reference, 0, 0, 1), head);
     }},
    {"all-heads", "You replace all heads. Only the given one changes.", kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t) {
       return z * 0 + mean(reference, {0}, true);
     }},
    {"all-but-this-head", "You replace the other heads and keep the one that shall be ablated.", kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return z + (1 - only(z, head)) * (mean(reference, {0}, true) - z);
     }},
    {"mean-over-heads", "You average the heads too. The mean is that of this head alone, over the sequences.",
     kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return put(z, mean(reference, {0, 2}, true), head);
     }},
    {"added-to-the-output",
     "You add the mean to the head's output. It takes the output's place: what the head says must be gone.",
     kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return z + only(z, head) * mean(reference, {0}, true);
     }},
    {"sum-for-the-mean", "You put the sum over the sequences there. Divide by their number.", kOff,
     [](const Tensor& z, const Tensor& reference, std::size_t head) {
       return put(z, sum(reference, {0}, true), head);
     }}};

inline Tensor loss_on(const Tensor& logits, const tasks::Batch& batch, bool predictable = true,
                      bool all = false) {
  IntArray targets = batch.targets;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!all && batch.predictable.data()[i] != predictable) targets.data()[i] = -1;
  return cross_entropy(logits, targets, {.ignore_index = -1});
}

// How an ablated head's output is made: of the output itself, and of that of the undisturbed run.
using Instead = Tensor (*)(const Tensor& z, const Tensor& reference, std::size_t head);

inline Tensor logits_without(const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads,
                             Instead instead = solution::mean_ablated) {
  const auto intact = interpret::run_with_cache(model, batch.tokens).cache;
  nn::Hooks hooks;
  for (const interpret::HeadAt& each : heads) {
    const std::string name = solution::z_name(each.layer);
    hooks.add(name, [instead, reference = Tensor(intact[name]), head = each.head](const Tensor& z) {
      return instead(z, reference, head);
    });
  }
  return interpret::run_with_hooks(model, batch.tokens, hooks);
}
inline double intact_loss(const nn::Transformer& model, const tasks::Batch& batch) {
  return loss_on(interpret::run_with_hooks(model, batch.tokens, {}), batch).item();
}

inline const std::vector<Mistake<LossRise>> kOfLossRise = {
    {"zero-for-the-mean",
     "You put zeros in the heads' places. Mean ablation puts the mean over the sequences there: use your "
     "mean_ablated.",
     kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       const auto zero = [](const Tensor& z, const Tensor&, std::size_t head) { return put(z, z * 0, head); };
       return loss_on(logits_without(model, batch, heads, zero), batch).item() - intact_loss(model, batch);
     }},
    {"one-head-at-a-time",
     "You ablate each head alone and add up what that costs. Heads stand in for each other, so ablate all of "
     "them in one run: a hook for each in the same nn::Hooks.",
     kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       double rise = 0;
       for (const interpret::HeadAt& each : heads)
         rise += loss_on(logits_without(model, batch, {each}), batch).item() - intact_loss(model, batch);
       return rise;
     }},
    {"only-the-last-head", "Only the last head of the list is ablated. All must be, in one run.", kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       return loss_on(logits_without(model, batch, {heads.back()}), batch).item() - intact_loss(model, batch);
     }},
    {"only-the-first-head", "Only the first head of the list is ablated. All must be, in one run.", kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       return loss_on(logits_without(model, batch, {heads.front()}), batch).item() -
              intact_loss(model, batch);
     }},
    {"all-positions",
     "Your loss is over all positions. Where nothing can be predicted a head cannot help, and its loss hides "
     "what the ablation does. Count only where batch.predictable is true.",
     kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       const Tensor intact = interpret::run_with_hooks(model, batch.tokens, {});
       return loss_on(logits_without(model, batch, heads), batch, true, true).item() -
              loss_on(intact, batch, true, true).item();
     }},
    {"unpredictable-positions",
     "Your loss is over the positions that cannot be predicted. Count where batch.predictable is true.", kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       const Tensor intact = interpret::run_with_hooks(model, batch.tokens, {});
       return loss_on(logits_without(model, batch, heads), batch, false).item() -
              loss_on(intact, batch, false).item();
     }},
    {"fall-for-rise",
     "Your sign is turned: you subtract the loss with the heads ablated from the loss without.", kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       return intact_loss(model, batch) - loss_on(logits_without(model, batch, heads), batch).item();
     }},
    {"loss-for-rise",
     "You return the loss with the heads ablated. The rise is this loss less that of the intact model.", kOff,
     [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       return loss_on(logits_without(model, batch, heads), batch).item();
     }},
    {"reference-from-the-ablated-run",
     "Your hook takes the mean of the z that it is given. In layer 1 this z has already changed, because "
     "heads of layer 0 are ablated. Take the reference from a run in which nothing is ablated.",
     kOff, [](const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
       const auto own = [](const Tensor& z, const Tensor&, std::size_t head) {
         return put(z, mean(z, {0}, true), head);
       };
       return loss_on(logits_without(model, batch, heads, own), batch).item() - intact_loss(model, batch);
     }}};

}  // namespace mistakes
