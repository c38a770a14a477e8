// What people get wrong in parts 4 and 5 of exercise 13: attribution and the verdict.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "evidence.h"
#include "mistakes.h"

namespace mistakes {

using LogitParts = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&, std::size_t)>;
using VerdictOf = std::function<Finding(const Evidence&)>;

// ---- Part 4 ----

inline Tensor centred(const Made& made, const Tensor& parts) {
  if (made("not-centred")) return parts;
  if (made("mean-of-x-from-each-part")) return parts - mean(sum(parts, {0}));
  return made("centred-over-the-parts") ? parts - mean(parts, {0}, true) : parts - mean(parts, {-1}, true);
}
inline Tensor scaled(const Made& made, const Tensor& parts, const Tensor& numbers) {
  if (made("scale-left-out")) return numbers;
  const Tensor x = made("scale-of-each-part")       ? parts
                   : made("scale-of-the-mean-part") ? mean(parts, {0}, true)
                                                    : sum(parts, {0}, true);
  const Tensor spread = made("mean-square-for-variance") ? mean(x * x, {-1}, true) : var(x, {-1}, true);
  const double d = static_cast<double>(x.length(-1));
  const Tensor wide = made("n-minus-1") ? spread * (d / (d - 1)) : spread;
  const Tensor inside = made("eps-left-out") ? wide : wide + 1e-5;
  if (made("multiplied-by-s")) return numbers * sqrt(inside);
  return numbers / (made("variance-for-its-root") ? inside : sqrt(inside));
}
// What is subtracted from the logits (S,V) of the answer.
inline Tensor mean_logit(const Made& made, const Tensor& logits) {
  if (made("mean-logit-kept")) return Tensor(0.0);
  if (made("mean-of-all-from-each-part")) return mean(sum(logits, {0}));
  return made("mean-over-the-parts-too") ? mean(logits) : mean(logits, {-1});
}

inline Tensor logit_parts(const Made& made, const Tensor& parts, const Tensor& w, const Tensor& W_U,
                          std::size_t answer) {
  const Tensor normed = scaled(made, parts, centred(made, parts));
  const Tensor logits = matmul(made("w-left-out") ? normed : normed * w, W_U);
  const int column = made("first-token-for-the-answer") ? 0
                     : made("token-after-the-answer")   ? static_cast<int>((answer + 1) % W_U.length(1))
                                                        : static_cast<int>(answer);
  const Tensor own = reshape(slice(logits, 1, column, column + 1), {-1});
  const Tensor each = made("sign-turned") ? mean_logit(made, logits) - own : own - mean_logit(made, logits);
  if (!made("logits-up-to-each-part")) return each;
  Array sums = each.array();
  for (std::size_t i = 1; i < sums.size(); ++i) sums(i) += sums(i - 1);
  return Tensor(sums);
}

inline const std::vector<Slip> kOfLogitParts = {
    {"scale-of-each-part",
     "You divide each part by its own scale. The model divides the sum x once: take s from x and use it for "
     "all parts. Otherwise they do not add up to the logit.",
     kLogit},
    {"scale-left-out",
     "You do not divide by s. The parts then add up to another number than the model's logit.", kLogit},
    {"scale-of-the-mean-part", "You take x as the mean of the parts. It is their sum, and s belongs to it.",
     kLogit},
    {"multiplied-by-s", "You multiply by s. The norm divides by it.", kLogit},
    {"variance-for-its-root", "You divide by the variance. s is its root.", kLogit},
    {"mean-square-for-variance",
     "Your s is the root of the mean square. The variance subtracts the mean of x before it squares.",
     kLogit},
    {"n-minus-1", "Your variance divides by d - 1. The norm's divides by d.", kLogit},
    {"sign-turned", "You subtract the answer's logit from the mean. It is the other way round.", kLogit},
    {"not-centred",
     "You do not subtract each part's mean. The norm subtracts the mean of x, which is the sum of the means "
     "of its parts, so each part loses its own.",
     kLogit},
    {"mean-of-x-from-each-part",
     "You subtract the mean of x from every part, so the sum loses it S times. Each part loses its own mean.",
     kLogit},
    {"centred-over-the-parts",
     "You subtract the mean over the parts. The norm's mean is over the d numbers of one vector: axis -1.",
     kLogit},
    {"w-left-out", "You left out the norm's factors w.", kLogit},
    {"mean-logit-kept",
     "You return the logit itself. Subtract the mean over all V logits: a number that all tokens gain says "
     "nothing for the answer.",
     kLogit},
    {"mean-of-all-from-each-part",
     "You subtract the mean logit of the whole model from every part, so the sum loses it S times. Subtract "
     "from each part the mean over its own V logits.",
     kLogit},
    {"mean-over-the-parts-too",
     "You subtract one mean, over all parts and all logits. Each part has a mean of its own, over its V "
     "logits.",
     kLogit},
    {"token-after-the-answer",
     "You take the unembedding of token answer + 1. Tokens count from 0: the column is `answer`.", kLogit},
    {"first-token-for-the-answer",
     "You take the unembedding of token 0, whatever the answer is. The column is `answer`.", kLogit},
    {"eps-left-out", "Your s lacks the 1e-5 under the root, which the model has there.", kLogit},
    {"logits-up-to-each-part",
     "Your row s is the logit of the sum of the parts up to s. It should be the contribution of part s "
     "alone.",
     kLogit}};

// ---- Part 5 ----

// The place where `looks` and `control` differ most.
inline std::size_t place_of(const Made& made, const Evidence& e) {
  const auto width = [&](std::size_t k) {
    return e.looks[k] - (made("control-not-asked") || made("largest-look-first") ? 0 : e.control[k]);
  };
  std::size_t place = 0;
  for (std::size_t k = 0; !made("followers-alone") && k < e.looks.size(); ++k)
    if (width(k) > width(place)) place = k;
  return place;
}
inline bool needed(const Made& made, const Evidence& e) {
  if (made("necessity-left-out")) return true;
  const double half = made("half-of-1") ? 0.5 : e.accuracy / 2;
  const double left = made("one-head-ablated") ? e.without_one : e.without_all;
  const bool lost = made("just-half-is-kept") ? left < half : left <= half;
  return lost != made("necessity-turned-round");
}
inline bool told(const Made& made, const Evidence& e) {
  const bool keys = e.keys_patched <= e.accuracy / 2, queries = e.queries_patched <= e.accuracy / 2;
  if (made("paths-not-asked")) return true;
  if (made("keys-alone")) return keys;
  if (made("queries-alone")) return queries;
  if (made("paths-turned-round")) return !keys || !queries;
  return made("keys-and-queries") ? keys && queries : keys || queries;
}

inline Finding verdict(const Made& made, const Evidence& e) {
  const bool unsolved = made("half-called-unsolved") ? e.accuracy <= 0.5 : e.accuracy < 0.5;
  if (unsolved && !made("accuracy-not-asked")) return {};
  if (made("accuracy-alone")) return {Kind::ordinary};
  const std::size_t place = place_of(made, e);
  const bool alone = made("control-not-asked") || made("control-not-in-the-threshold");
  const double least = made("half-for-0.4") ? 0.5 : 0.4;
  const bool narrow = e.looks[place] - (alone ? 0 : e.control[place]) < least && !made("threshold-left-out");
  if (narrow && made("narrow-called-unsolved")) return {};
  if (narrow || !needed(made, e) || !told(made, e))
    return {Kind::another_way, made("another-way-with-a-place") ? place : 0};
  if (place == 0 && !made("never-ordinary")) return {Kind::ordinary};
  if (made("shifted-called-another-way")) return {Kind::another_way};
  return {Kind::shifted, made("place-left-out") ? 0 : made("counted-from-the-copy") ? place + 1 : place};
}

inline const std::vector<Slip> kOfVerdict = {
    {"accuracy-alone",
     "You call every model that solves its task an ordinary circuit. That it solves the task does not say "
     "how.",
     kRiddle},
    {"accuracy-not-asked",
     "You never say unsolved. A model whose accuracy is below a half does not solve its task, whatever its "
     "heads look at.",
     kCertificate},
    {"control-not-asked",
     "You do not compare with the sequences without repeats. A head that looks a fixed distance back looks "
     "at the follower too, but not because of the tokens: its control is as large.",
     kCertificate},
    {"one-head-ablated",
     "You judge by the accuracy without one head. Heads stand in for each other: ask what is left without "
     "all of them.",
     kOff},
    {"threshold-left-out",
     "You never say that no head looks because of the tokens. Some place always has the widest difference, "
     "and it may be narrow: below 0.4 the model solves its task another way.",
     kCertificate},
    {"half-for-0.4", "Your least difference is not 0.4. A head looks somewhere from 0.4 on.", kCertificate},
    {"half-of-1",
     "You ask whether the accuracy falls to a half. It is lost when it falls to half of what it was.", kOff},
    {"just-half-is-kept",
     "You call the heads not needed when just half of the accuracy is left. Then it is lost: only more than a "
     "half says that they are not needed.",
     kOff},
    {"half-called-unsolved",
     "You call a model unsolved whose accuracy is just a half. At least a half counts as solved.", kRiddle},
    {"narrow-called-unsolved",
     "You call a model unsolved in which no head looks because of the tokens. It does solve its task: "
     "another way.",
     kRiddle},
    {"another-way-with-a-place",
     "Your `by` is not 0 for a model that solves its task another way. Only a shifted circuit has a place.",
     kRiddle},
    {"control-not-in-the-threshold",
     "You ask whether `looks` alone is 0.4 or more. Subtract the control there too: a head that looks a "
     "fixed distance back gives the follower as much without repeats.",
     kCertificate},
    {"largest-look-first",
     "You take the place where `looks` is largest, and compare with its control afterwards. There a head may "
     "look whatever the tokens are. Take the place where the two differ most.",
     kCertificate},
    {"paths-not-asked",
     "You do not ask whether layer 0 tells these heads where to look. In an induction circuit the accuracy "
     "falls when the keys, or the queries, get what layer 0 writes of other tokens.",
     kWay},
    {"necessity-left-out",
     "You ask for the accuracy with keys and queries patched, and not for that without the heads. If it "
     "stays when all of them are ablated, the model solves its task another way.",
     kOff},
    {"necessity-turned-round",
     "You take heads as needed when the accuracy stays without them. It is when the accuracy falls that they "
     "are needed.",
     kOff},
    {"keys-alone",
     "You ask that the accuracy falls when the keys are patched. Layer 0 may tell the queries instead, where "
     "to look; that is an induction circuit too. One of the two must fall.",
     kWay},
    {"queries-alone",
     "You ask that the accuracy falls when the queries are patched. Layer 0 mostly tells the keys where to "
     "look. One of the two must fall.",
     kWay},
    {"keys-and-queries",
     "You ask that the accuracy falls with the keys patched and also with the queries patched. One path is "
     "enough for a circuit.",
     kWay},
    {"paths-turned-round",
     "You take layer 0 as telling these heads where to look when the accuracy stays with its paths patched. "
     "It is when the accuracy falls that it does.",
     kWay},
    {"followers-alone",
     "You ask for the weight on the follower only, place 0. A shifted circuit looks some places later: take "
     "the place where the weights with and without repeats differ most.",
     kRiddle},
    {"shifted-called-another-way",
     "You call a circuit that looks at a later place another way. It matches the token by what an earlier "
     "head carried there: Kind::shifted.",
     kRiddle},
    {"place-left-out",
     "Your `by` is 0 for a shifted circuit. It is the place where the weights with and without repeats "
     "differ most.",
     kRiddle},
    {"never-ordinary",
     "You call a circuit that looks at the follower shifted. Place 0 is the follower: Kind::ordinary.",
     kRiddle},
    {"counted-from-the-copy",
     "Your `by` counts from the earlier copy of the token. Count from the follower, one place later: "
     "looks[k] is the weight k places after the follower.",
     kRiddle}};

}  // namespace mistakes
