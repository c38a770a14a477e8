// What people get wrong in part 6 of exercise 10, the training.
#pragma once

#include <functional>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/sgd.h"
#include "mistakes.h"
#include "pairs.h"
#include "weights.h"

namespace mistakes {

using ReverseModel = void (*)(const EncoderDecoderWeights&, Rng&);

using LossOf = std::function<Tensor(const Pairs&)>;

inline void trained(const std::vector<Tensor>& changing, const EncoderDecoderWeights& w, double rate,
                    int steps, const std::function<Pairs()>& draw, const LossOf& loss) {
  optim::AdamW optimizer(changing, {.learning_rate = rate});
  for (int step = 0; step < steps; ++step) {
    const Pairs batch = draw();
    for (const Tensor& p : nn::parameters(w)) Tensor(p).zero_grad();
    loss(batch).backward();
    optimizer.step();
  }
}

inline void trained(const EncoderDecoderWeights& w, double rate, int steps, Rng& rng) {
  trained(
      nn::parameters(w), w, rate, steps, [&] { return pairs(32, rng); },
      [&](const Pairs& batch) { return solution::answer_loss(batch.source, batch.answer, w); });
}

inline void nothing_moves(const EncoderDecoderWeights& w, Rng& rng) {
  const Pairs batch = pairs(32, rng);
  solution::answer_loss(batch.source, batch.answer, w).backward();
}

inline void never_cleared(const EncoderDecoderWeights& w, Rng& rng) {
  optim::AdamW optimizer(nn::parameters(w), {.learning_rate = 0.003});
  for (int step = 0; step < 2; ++step) {
    const Pairs batch = pairs(4, rng);
    solution::answer_loss(batch.source, batch.answer, w).backward();
    optimizer.step();
  }
}

inline void decoder_alone(const EncoderDecoderWeights& w, Rng& rng) {
  std::vector<Tensor> decoder;
  for (const auto& [name, p] : nn::named_parameters(w))
    if (name.starts_with("decoder")) decoder.push_back(p);
  trained(
      decoder, w, 0.01, 3, [&] { return pairs(32, rng); },
      [&](const Pairs& batch) { return solution::answer_loss(batch.source, batch.answer, w); });
}

inline void blown_up(const EncoderDecoderWeights& w, Rng& rng) {
  optim::SGD optimizer(nn::parameters(w), {.learning_rate = 1e155});
  for (int step = 0; step < 4; ++step) {
    const Pairs batch = pairs(4, rng);
    optimizer.zero_grad();
    solution::answer_loss(batch.source, batch.answer, w).backward();
    optimizer.step();
  }
}

inline void too_few_steps(const EncoderDecoderWeights& w, Rng& rng) { trained(w, 0.01, 20, rng); }
inline void rate_too_large(const EncoderDecoderWeights& w, Rng& rng) { trained(w, 3, 20, rng); }
inline void stopped_short(const EncoderDecoderWeights& w, Rng& rng) { trained(w, 0.01, 100, rng); }

inline void first_batch_alone(const EncoderDecoderWeights& w, Rng& rng) {
  const Pairs first = pairs(16, rng);
  trained(
      nn::parameters(w), w, 0.01, 100, [&] { return first; },
      [&](const Pairs& batch) { return solution::answer_loss(batch.source, batch.answer, w); });
}

inline void source_as_answer(const EncoderDecoderWeights& w, Rng& rng) {
  trained(
      nn::parameters(w), w, 0.01, 150, [&] { return pairs(32, rng); },
      [&](const Pairs& batch) { return solution::answer_loss(batch.source, batch.source, w); });
}

inline const std::vector<Mistake<ReverseModel>> kOfReverseModel = {
    {"nothing-moves",
     "The weights are what they were. Either no optimizer step is taken, or the optimizer has a copy of "
     "the weights: give it nn::parameters(w), and call step() after backward(). Section 4 of lesson 4 writes "
     "such a loop.",
     "", nothing_moves},
    {"never-cleared",
     "You never call zero_grad. backward() adds to the gradients that are there, so each step would take "
     "those of all steps before it too. Call optimizer.zero_grad() before each backward(), as the loop in "
     "section 4 of lesson 4 does.",
     "", never_cleared},
    {"parameters-left-out",
     "Some weights have not changed. The optimizer moves only what you give it: nn::parameters(w) lists "
     "the encoder, the decoder and the embedding.",
     kTwoStacks, decoder_alone},
    {"blown-up",
     "The weights are infinite or no numbers. The steps are far too long: try the rate 0.003 with AdamW. "
     "Section 2 of lesson 4 shows what a rate that is too large does.",
     "", blown_up},
    {"rate-too-large",
     "Some weights are beyond 20, where softmax gives all weight to one key and gradients vanish. Take a "
     "smaller rate: 0.003 works with AdamW. Section 2 of lesson 4 shows what a rate that is too large does.",
     "", rate_too_large},
    {"too-little-training",
     "The loss on fresh words is above 1, and guessing is 2.1. The training is too short, or its steps "
     "have the wrong length: 400 steps at the rate 0.003 are enough, with one optimizer for all of them.",
     kForming, too_few_steps},
    {"stopped-short",
     "The loss falls, and some letters are still wrong. Let the training take more steps, and make the "
     "optimizer once, before the first of them: one that is made anew in each step knows no gradient but the "
     "last.",
     kForming, stopped_short},
    {"first-batch-alone",
     "Your model knows its first words by heart and not the others. Draw new pairs in each step.", kForming,
     first_batch_alone},
    {"copies",
     "Your model writes the source as it stands, from its beginning. Give the loss the answer of each "
     "pair.",
     kTwoStacks, source_as_answer}};

}  // namespace mistakes
