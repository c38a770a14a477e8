// What people get wrong in parts 5 and 6 of exercise 10, the loss and the training.
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

using AnswerLoss = Tensor (*)(const IntArray&, const IntArray&, const EncoderDecoderWeights&);
using ReverseModel = void (*)(const EncoderDecoderWeights&, Rng&);

// `first`, and then the tokens of each row but the last.
inline IntArray shifted(const IntArray& tokens, const std::function<std::int32_t(std::size_t row)>& first) {
  IntArray read = tokens;
  for (std::size_t i = 0; i < read.shape()[0]; ++i)
    for (std::size_t j = 0; j < read.shape()[1]; ++j) read(i, j) = j == 0 ? first(i) : tokens(i, j - 1);
  return read;
}
inline IntArray shifted(const IntArray& tokens) {
  return shifted(tokens, [](std::size_t) { return kStart; });
}
inline Tensor logits_of(const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
  return solution::encoder_decoder(source, shifted(answer), w);
}

inline const std::vector<Mistake<AnswerLoss>> kOfAnswerLoss = {
    {"answer-not-shifted",
     "Your decoder reads the answer itself: at each position it reads the letter that it is to predict. "
     "It must read the sign kStart first, and each letter one position later.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(solution::encoder_decoder(source, answer, w), answer);
     }},
    {"predicts-what-it-reads",
     "Your decoder reads kStart and the answer's letters, and the targets are the same tokens. The "
     "targets are the answer: the letter after the one that was read.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(logits_of(source, answer, w), shifted(answer));
     }},
    {"last-letter-for-the-sign",
     "Your decoder begins with the last letter of the answer, which nobody knows at that time. Put kStart "
     "there.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       const std::size_t last = answer.shape()[1] - 1;
       const IntArray read = shifted(answer, [&](std::size_t i) { return answer(i, last); });
       return cross_entropy(solution::encoder_decoder(source, read, w), answer);
     }},
    {"first-letter-twice",
     "Your decoder begins with the first letter of the answer, which it is to predict there. Put kStart "
     "there.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       const IntArray read = shifted(answer, [&](std::size_t i) { return answer(i, 0); });
       return cross_entropy(solution::encoder_decoder(source, read, w), answer);
     }},
    {"shifted-to-the-left",
     "You shifted the answer to the left: each position reads the letter after the one that it is to "
     "predict. Shift it to the right.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       IntArray read = answer;
       for (std::size_t i = 0; i < read.shape()[0]; ++i)
         for (std::size_t j = 0; j < read.shape()[1]; ++j)
           read(i, j) = j + 1 < read.shape()[1] ? answer(i, j + 1) : kStart;
       return cross_entropy(solution::encoder_decoder(source, read, w), answer);
     }},
    {"only-the-sign",
     "Your decoder reads kStart at every position; it must read the letters of the answer so far. If you "
     "move them in place from the left, kStart is copied on and on: take each letter from `answer`.",
     kCausal,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       IntArray read = answer;
       read.fill(kStart);
       return cross_entropy(solution::encoder_decoder(source, read, w), answer);
     }},
    {"source-for-the-answer",
     "Your decoder reads the letters of the source behind kStart. It must read the answer's: what has "
     "been written so far.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(logits_of(source, source, w), answer);
     }},
    {"source-and-answer-exchanged",
     "Your encoder reads the answer, and your decoder has to write the source. It is the other way round.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(logits_of(answer, source, w), source);
     }},
    {"first-letter-of-the-source",
     "Your decoder begins with the first letter of the source. Every answer begins with the sign: put kStart "
     "there.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       const IntArray read = shifted(answer, [&](std::size_t i) { return source(i, 0); });
       return cross_entropy(solution::encoder_decoder(source, read, w), answer);
     }},
    {"arguments-exchanged",
     "You call encoder_decoder with its first two arguments exchanged. The source comes first, for the "
     "encoder; then what the decoder reads.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(solution::encoder_decoder(shifted(answer), source, w), answer);
     }},
    {"first-letter-left-out",
     "Your loss leaves out the first letter. It is predicted from kStart, and counts like the others.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       IntArray targets = answer;
       for (std::size_t i = 0; i < targets.shape()[0]; ++i) targets(i, 0) = -1;
       return cross_entropy(logits_of(source, answer, w), targets, {.ignore_index = -1});
     }},
    {"sum-for-mean", "You return the sum over all letters. The loss is their mean.", kCausal,
     [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(logits_of(source, answer, w), answer, {.reduction = Reduction::sum});
     }},
    {"softmax-twice", "You apply softmax before cross_entropy, which applies it too. Give it the logits.",
     kCausal, [](const IntArray& source, const IntArray& answer, const EncoderDecoderWeights& w) {
       return cross_entropy(softmax(logits_of(source, answer, w)), answer);
     }}};

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
     "the weights: give it nn::parameters(w), and call step() after backward(). Lesson 4 writes such a loop.",
     kForming, nothing_moves},
    {"never-cleared",
     "You never call zero_grad. backward() adds to the gradients that are there, so each step would take "
     "those of all steps before it too. Call optimizer.zero_grad() before each backward().",
     kForming, never_cleared},
    {"parameters-left-out",
     "Some weights have not changed. The optimizer moves only what you give it: nn::parameters(w) lists "
     "the encoder, the decoder and the embedding.",
     kTwoStacks, decoder_alone},
    {"blown-up",
     "The weights are infinite or no numbers. The steps are far too long: try the rate 0.003 with AdamW.",
     kForming, blown_up},
    {"rate-too-large",
     "Some weights are beyond 20, where softmax gives all weight to one key and gradients vanish. Take a "
     "smaller rate: 0.003 works with AdamW.",
     kForming, rate_too_large},
    {"too-little-training",
     "The loss on fresh words is above 1, and guessing is 2.1. The training is too short, or its steps "
     "have the wrong length: 400 steps at the rate 0.003 are enough, with one optimizer for all of them.",
     kForming, too_few_steps},
    {"stopped-short",
     "The loss falls, and some letters are still wrong. Does the training take 400 steps? If so, look whether the optimizer is made once, before the loop: a new one in each step forgets what it has averaged.",
     kForming, stopped_short},
    {"first-batch-alone",
     "Your model knows its first words by heart and not the others. Draw new pairs in each step.", kForming,
     first_batch_alone},
    {"copies",
     "Your model writes the source as it stands, from its beginning. Give the loss the answer of each "
     "pair.",
     kTwoStacks, source_as_answer}};

}  // namespace mistakes
