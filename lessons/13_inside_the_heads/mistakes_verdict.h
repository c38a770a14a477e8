// What people get wrong in parts 4 and 5 of exercise 13: attribution and the verdict.
#pragma once

#include <algorithm>
#include <vector>

#include "evidence.h"
#include "mistakes.h"

namespace mistakes {

using LogitParts = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, std::size_t);
using VerdictOf = Finding (*)(const Evidence&);

inline Tensor centred(const Tensor& parts) { return parts - mean(parts, {-1}, true); }
inline Tensor scale_of(const Tensor& parts) { return sqrt(var(sum(parts, {0})) + 1e-5); }
// The column of `answer` less the mean of all columns, of numbers (S,V).
inline Tensor column_of(const Tensor& each, std::size_t answer) {
  const int at = static_cast<int>(answer);
  return reshape(slice(each, 1, at, at + 1), {-1});
}
inline Tensor above_mean(const Tensor& each, std::size_t answer) {
  return column_of(each, answer) - mean(each, {-1});
}

inline const std::vector<Mistake<LogitParts>> kOfLogitParts = {
    {"scale-of-each-part",
     "You divide each part by its own scale. The model divides the sum x once: take s from x and use it for "
     "all parts. Otherwise they do not add up to the logit.",
     kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       const Tensor scales = sqrt(var(parts, {-1}, true) + 1e-5);
       return above_mean(matmul(centred(parts) / scales * w, W_U), answer);
     }},
    {"scale-left-out",
     "You do not divide by s. The parts then add up to another number than the model's logit.", kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul(centred(parts) * w, W_U), answer);
     }},
    {"variance-for-its-root", "You divide by the variance. s is its root.", kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       const Tensor scale = scale_of(parts);
       return above_mean(matmul(centred(parts) / (scale * scale) * w, W_U), answer);
     }},
    {"not-centred",
     "You do not subtract each part's mean. The norm subtracts the mean of x, which is the sum of the means "
     "of its parts, so each part loses its own.",
     kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul(parts / scale_of(parts) * w, W_U), answer);
     }},
    {"mean-of-x-from-each-part",
     "You subtract the mean of x from every part, so the sum loses it S times. Each part loses its own mean.",
     kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul((parts - mean(sum(parts, {0}))) / scale_of(parts) * w, W_U), answer);
     }},
    {"centred-over-the-parts",
     "You subtract the mean over the parts. The norm's mean is over the d numbers of one vector: axis -1.",
     kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul((parts - mean(parts, {0}, true)) / scale_of(parts) * w, W_U), answer);
     }},
    {"w-left-out", "You left out the norm's factors w.", kLogit,
     [](const Tensor& parts, const Tensor&, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul(centred(parts) / scale_of(parts), W_U), answer);
     }},
    {"mean-logit-kept",
     "You return the logit itself. Subtract the mean over all V logits: a number that all tokens gain says "
     "nothing for the answer.",
     kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return column_of(matmul(centred(parts) / scale_of(parts) * w, W_U), answer);
     }},
    {"token-after-the-answer",
     "You take the unembedding of token answer + 1. Tokens count from 0: the column is `answer`.", kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul(centred(parts) / scale_of(parts) * w, W_U), (answer + 1) % W_U.length(1));
     }},
    {"first-token-for-the-answer",
     "You take the unembedding of token 0, whatever the answer is. The column is `answer`.", kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t) {
       return above_mean(matmul(centred(parts) / scale_of(parts) * w, W_U), 0);
     }},
    {"eps-left-out", "Your s lacks the 1e-5 under the root, which the model has there.", kLogit,
     [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       return above_mean(matmul(centred(parts) / sqrt(var(sum(parts, {0}))) * w, W_U), answer);
     }},
    {"logits-up-to-each-part",
     "Your row s is the logit of the sum of the parts up to s. It should be the contribution of part s "
     "alone.",
     kLogit, [](const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
       const Tensor each = above_mean(matmul(centred(parts) / scale_of(parts) * w, W_U), answer);
       Array sums = each.array();
       for (std::size_t i = 1; i < sums.size(); ++i) sums(i) += sums(i - 1);
       return Tensor(sums);
     }}};

inline std::size_t widest(const Evidence& e) {
  std::size_t place = 0;
  for (std::size_t k = 0; k < e.looks.size(); ++k)
    if (e.looks[k] - e.control[k] > e.looks[place] - e.control[place]) place = k;
  return place;
}
inline Finding found_at(std::size_t place) {
  return place == 0 ? Finding{Kind::ordinary} : Finding{Kind::shifted, place};
}
// The right verdict of evidence in which something was changed.
inline Finding if_it_were(Evidence e, void (*change)(Evidence&)) {
  change(e);
  return solution::verdict(e);
}

inline const std::vector<Mistake<VerdictOf>> kOfVerdict = {
    {"pattern-alone",
     "You judge by the pattern alone. A head may look at the follower in a model that answers wrong, and in "
     "one that does not need this head. Ask for the accuracy, and for the accuracy without these heads.",
     kOff,
     [](const Evidence& e) {
       const std::size_t place = widest(e);
       return e.looks[place] - e.control[place] < 0.4
                  ? Finding{e.accuracy < 0.5 ? Kind::unsolved : Kind::another_way}
                  : found_at(place);
     }},
    {"accuracy-alone",
     "You call every model that solves its task an ordinary circuit. That it solves the task does not say "
     "how.",
     kRiddle, [](const Evidence& e) { return Finding{e.accuracy < 0.5 ? Kind::unsolved : Kind::ordinary}; }},
    {"accuracy-not-asked",
     "You never say unsolved. A model whose accuracy is below a half does not solve its task, whatever its "
     "heads look at.",
     kCertificate,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) { x.accuracy = std::max(x.accuracy, 0.5); });
     }},
    {"control-not-asked",
     "You do not compare with the sequences without repeats. A head that looks a fixed distance back looks "
     "at the follower too, but not because of the tokens: its control is as large.",
     kCertificate,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) { x.control.assign(x.control.size(), 0); });
     }},
    {"necessity-not-asked",
     "You do not ask whether the model needs the heads that look there. If its accuracy stays when all of "
     "them are ablated, they are onlookers, and it solves the task another way.",
     kOff,
     [](const Evidence& e) {
       const std::size_t place = widest(e);
       if (e.accuracy < 0.5) return Finding{};
       return e.looks[place] - e.control[place] < 0.4 ? Finding{Kind::another_way} : found_at(place);
     }},
    {"one-head-ablated",
     "You judge by the accuracy without one head. Heads stand in for each other: ask what is left without "
     "all of them.",
     kOff,
     [](const Evidence& e) { return if_it_were(e, [](Evidence& x) { x.without_all = x.without_one; }); }},
    {"one-head-and-keys-alone",
     "You judge by the accuracy without one head, and by the keys only. Heads stand in for each other: ask "
     "what is left without all of them. And layer 0 may tell the queries instead of the keys.",
     kOff,
     [](const Evidence& e) {
       return if_it_were(e,
                         [](Evidence& x) { x.without_all = x.without_one, x.queries_patched = x.accuracy; });
     }},
    {"threshold-left-out",
     "You never say that no head looks because of the tokens. Some place always has the widest difference, "
     "and it may be narrow: below 0.4 the model solves its task another way.",
     kCertificate,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) { x.looks[widest(x)] = 1 + x.control[widest(x)]; });
     }},
    {"largest-look-first",
     "You take the place where `looks` is largest, and compare with its control afterwards. There a head may "
     "look whatever the tokens are. Take the place where the two differ most.",
     kCertificate,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) {
         const auto at = std::max_element(x.looks.begin(), x.looks.end()) - x.looks.begin();
         for (std::size_t k = 0; k < x.looks.size(); ++k)
           if (k != static_cast<std::size_t>(at)) x.looks[k] = x.control[k] = 0;
       });
     }},
    {"control-and-paths-not-asked",
     "You ask for `looks` and for the accuracy without these heads. A head that looks a fixed distance back "
     "passes both: compare with `control`, and ask whether layer 0 tells the head where to look.",
     kCertificate,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) {
         x.control.assign(x.control.size(), 0);
         x.keys_patched = 0;
       });
     }},
    {"paths-not-asked",
     "You do not ask whether layer 0 tells these heads where to look. In an induction circuit the accuracy "
     "falls when the keys, or the queries, get what layer 0 writes of other tokens.",
     kWay, [](const Evidence& e) { return if_it_were(e, [](Evidence& x) { x.keys_patched = 0; }); }},
    {"necessity-left-out",
     "You ask for the accuracy with keys and queries patched, and not for that without the heads. If it "
     "stays when all of them are ablated, the model solves its task another way.",
     kOff, [](const Evidence& e) { return if_it_were(e, [](Evidence& x) { x.without_all = 0; }); }},
    {"necessity-turned-round",
     "You take heads as needed when the accuracy stays without them. It is when the accuracy falls that "
     "they are needed.",
     kOff,
     [](const Evidence& e) {
       const std::size_t place = widest(e);
       if (e.accuracy < 0.5) return Finding{};
       return e.looks[place] - e.control[place] < 0.4 || e.without_all < e.accuracy / 2
                  ? Finding{Kind::another_way}
                  : found_at(place);
     }},
    {"keys-alone",
     "You ask that the accuracy falls when the keys are patched. Layer 0 may tell the queries instead, where "
     "to look; that is an induction circuit too. One of the two must fall.",
     kWay,
     [](const Evidence& e) { return if_it_were(e, [](Evidence& x) { x.queries_patched = x.accuracy; }); }},
    {"keys-and-queries",
     "You ask that the accuracy falls with the keys patched and also with the queries patched. One path is "
     "enough for a circuit.",
     kWay,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) {
         x.keys_patched = x.queries_patched = std::max(x.keys_patched, x.queries_patched);
       });
     }},
    {"followers-alone",
     "You ask for the weight on the follower only, place 0. A shifted circuit looks some places later: "
     "take the place where the weights with and without repeats differ most.",
     kRiddle,
     [](const Evidence& e) {
       return if_it_were(e, [](Evidence& x) { x.looks.resize(1), x.control.resize(1); });
     }},
    {"shifted-called-another-way",
     "You call a circuit that looks at a later place another way. It matches the token by what an earlier "
     "head carried there: Kind::shifted.",
     kRiddle,
     [](const Evidence& e) {
       const Finding right = solution::verdict(e);
       return right.kind == Kind::shifted ? Finding{Kind::another_way, right.by} : right;
     }},
    {"counted-from-the-copy",
     "Your `by` counts from the earlier copy of the token. Count from the follower, one place later: "
     "looks[k] "
     "is the weight k places after the follower.",
     kRiddle, [](const Evidence& e) {
       Finding right = solution::verdict(e);
       if (right.kind == Kind::shifted) ++right.by;
       return right;
     }}};

}  // namespace mistakes
