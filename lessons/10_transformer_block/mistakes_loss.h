// What people get wrong in part 5 of exercise 10, the loss of teacher forcing.
#pragma once

#include "mistakes.h"
#include "pairs.h"

namespace mistakes {

using AnswerLoss = std::function<Tensor(const IntArray&, const IntArray&, const EncoderDecoderWeights&)>;

// What the decoder reads at place j of row i.
inline std::int32_t read_at(const Made& made, const IntArray& source, const IntArray& answer, std::size_t i,
                            std::size_t j) {
  const std::size_t n = answer.shape()[1];
  const bool left = made("shifted-to-the-left"), first = left ? j + 1 == n : j == 0;
  if (made("only-the-sign")) return kStart;
  if (made("answer-not-shifted")) return answer(i, j);
  if (first) {
    if (made("last-letter-for-the-sign")) return answer(i, n - 1);
    if (made("first-letter-of-the-source")) return source(i, 0);
    const bool kept = made("sign-in-the-first-row-only") && i > 0;
    return kept || made("sign-left-out") ? answer(i, j) : kStart;
  }
  const IntArray& from = made("source-for-the-answer") ? source : answer;
  if (made("sign-without-a-shift")) return from(i, j);
  return left ? from(i, j + 1) : from(i, j - 1);
}

inline Tensor loss_with(const Made& made, const IntArray& of_source, const IntArray& of_answer,
                        const EncoderDecoderWeights& w) {
  const bool exchanged = made("source-and-answer-exchanged");
  const IntArray &source = exchanged ? of_answer : of_source, &answer = exchanged ? of_source : of_answer;
  IntArray read = answer, targets = answer;
  for (std::size_t i = 0; i < read.shape()[0]; ++i)
    for (std::size_t j = 0; j < read.shape()[1]; ++j) read(i, j) = read_at(made, source, answer, i, j);
  if (made("predicts-what-it-reads")) targets = read;
  if (made("predicts-the-source")) targets = source;
  for (std::size_t i = 0; i < targets.shape()[0]; ++i) {
    if (made("first-letter-left-out")) targets(i, 0) = -1;
    if (made("last-letter-left-out")) targets(i, targets.shape()[1] - 1) = -1;
  }
  if (made("read-and-predicted-exchanged")) std::swap(read, targets);
  Tensor logits = made("arguments-exchanged") ? solution::encoder_decoder(read, source, w)
                                              : solution::encoder_decoder(source, read, w);
  if (made("softmax-twice")) logits = softmax(logits);
  const bool sums = made("sum-for-mean") || made("divided-by-the-rows");
  Tensor loss = cross_entropy(logits, targets,
                              {.ignore_index = -1, .reduction = sums ? Reduction::sum : Reduction::mean});
  if (made("divided-by-the-rows")) loss = loss / answer.shape()[0];
  return made("wrong-sign") ? -loss : loss;
}

inline const std::vector<grader::Slip> kSlipsOfAnswerLoss = {
    {"answer-not-shifted",
     "Your decoder reads the answer itself: at each position it reads the letter that it is to predict. "
     "It must read the sign kStart first, and each letter one position later.",
     kTwoStacks},
    {"sign-without-a-shift",
     "You put kStart over the first letter, and did not move the others: at each position behind it the "
     "decoder reads the letter that it is to predict. Move each letter one position to the right.",
     kTwoStacks},
    {"predicts-what-it-reads",
     "Your decoder reads kStart and the answer's letters, and the targets are the same tokens. The "
     "targets are the answer: the letter after the one that was read.",
     kTwoStacks},
    {"read-and-predicted-exchanged",
     "Your decoder reads the answer, and predicts kStart and the letters before. It is the other way "
     "round.",
     kTwoStacks},
    {"predicts-the-source", "Your targets are the source. The model is to write the answer.", kTwoStacks},
    {"last-letter-for-the-sign",
     "Your decoder begins with the last letter of the answer, which nobody knows at that time. Put kStart "
     "there.",
     kTwoStacks},
    {"sign-left-out",
     "Your letters are moved, and no kStart stands in the free place: an old letter of the answer is left "
     "there.",
     kTwoStacks},
    {"sign-in-the-first-row-only",
     "Only the first row begins with kStart. Every row does: read(i, 0) = kStart for all i.", kTwoStacks},
    {"shifted-to-the-left",
     "You shifted the answer to the left: each position reads the letter after the one that it is to "
     "predict. Shift it to the right.",
     kTwoStacks},
    {"only-the-sign",
     "Your decoder reads kStart at every position; it must read the letters of the answer so far. If you "
     "move them in place from the left, kStart is copied on and on: take each letter from `answer`.",
     kCausal},
    {"source-for-the-answer",
     "Your decoder reads the letters of the source behind kStart. It must read the answer's: what has "
     "been written so far.",
     kTwoStacks},
    {"source-and-answer-exchanged",
     "Your encoder reads the answer, and your decoder has to write the source. It is the other way round.",
     kTwoStacks},
    {"first-letter-of-the-source",
     "Your decoder begins with the first letter of the source. Every answer begins with the sign: put "
     "kStart there.",
     kTwoStacks},
    {"arguments-exchanged",
     "You call encoder_decoder with its first two arguments exchanged. The source comes first, for the "
     "encoder; then what the decoder reads.",
     kTwoStacks},
    {"first-letter-left-out",
     "Your loss leaves out the first letter. It is predicted from kStart, and counts like the others.",
     kTwoStacks},
    {"last-letter-left-out", "Your loss leaves out the last letter of the answer. It counts like the others.",
     kTwoStacks},
    {"sum-for-mean", "You return the sum over all letters. The loss is their mean.", kCausal},
    {"divided-by-the-rows",
     "You divide the sum by the number of words. The loss is the mean over all letters.", kCausal},
    {"wrong-sign", "Your loss has the wrong sign.", kCausal},
    {"softmax-twice", "You apply softmax before cross_entropy, which applies it too. Give it the logits.",
     kCausal}};

inline std::vector<Mistake<AnswerLoss>> of_answer_loss() {
  return slips_of<AnswerLoss>(loss_with, kSlipsOfAnswerLoss);
}

}  // namespace mistakes
