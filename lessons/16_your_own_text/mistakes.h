// What people get wrong in parts 1 and 3 of exercise 16: the windows of the training part, and the copy.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Slip;
using Starts = std::vector<std::size_t>;
using TrainingStarts = std::function<Starts(std::size_t, std::size_t, std::size_t, std::size_t, std::size_t)>;
using Tokens = std::vector<int>;
using Copied = std::function<Tokens(const Tokens&, std::size_t)>;

inline constexpr const char *kParts = "Tokens, and a part that is held out",
                            *kCounting = "What counting knows", *kNeeds = "What a text needs",
                            *kWriting = "Writing";

// ---- Part 1 ----

// Whether the window at s, whose last token is `end`, has nothing that is held out.
inline bool is_free(const Made& made, std::size_t s, std::size_t end, std::size_t first, std::size_t last) {
  const std::size_t least_after = made("last-is-not-held-out")   ? last
                                  : made("one-token-lost-after") ? last + 2
                                                                 : last + 1;
  const auto held_out = [&](std::size_t token) { return token >= first && token < least_after; };
  if (made("start-alone")) return !held_out(s);
  if (made("end-alone")) return !held_out(end);
  if (made("both-ends-alone")) return !held_out(s) && !held_out(end);
  const bool before = made("one-token-lost-before")         ? end + 1 < first
                      : made("target-may-be-the-first-one") ? end <= first
                                                            : end < first;
  if (made("held-out-windows")) return s >= first && end < least_after;
  if (made("before-only")) return before;
  if (made("after-only")) return s >= least_after;
  return before || s >= least_after;
}

inline Starts training_starts(const Made& made, std::size_t n, std::size_t n_ctx, std::size_t stride,
                              std::size_t first, std::size_t last) {
  const std::size_t reach = made("targets-left-out")  ? n_ctx - 1
                            : made("window-too-long") ? n_ctx + 1
                                                      : n_ctx;
  const std::size_t step = made("every-start") ? 1 : made("steps-of-a-window") ? n_ctx : stride;
  const std::size_t size = made("last-window-lost") ? n - 1 : made("last-target-missing") ? n + 1 : n;
  Starts starts;
  for (std::size_t s = made("zero-left-out") ? step : 0; s + reach < size; s += step) {
    if (made("counts-anew-after") && s > last && s < last + 1 + step &&
        (starts.empty() || starts.back() < first))
      s = last + 1;
    if (s + reach < size && is_free(made, s, s + reach, first, last)) starts.push_back(s);
  }
  if (made("numbers-of-windows"))
    for (std::size_t& s : starts) s /= step;
  return starts;
}

inline const std::vector<Slip> kOfTrainingStarts = {
    {"targets-left-out",
     "Your windows have n_ctx tokens. The last target is one token further, s + n_ctx: it must "
     "be in the text and not held out either, or the model trains on a held-out token.",
     kParts},
    {"window-too-long", "Your windows reach to token s + n_ctx + 1. The last target is token s + n_ctx.",
     kParts},
    {"target-may-be-the-first-one",
     "The last target of a window before the held-out part is its token `first`. A target is learned too: "
     "s + n_ctx must be smaller than first.",
     kParts},
    {"one-token-lost-before",
     "You leave out a window whose last target is token first - 1. That token is not held out.", kParts},
    {"last-is-not-held-out",
     "A window of yours starts at token `last`. This token is held out too: the next one is free.", kParts},
    {"one-token-lost-after", "You leave out the window that starts at last + 1. This token is free.", kParts},
    {"start-alone",
     "You ask only whether the start is held out. A window that starts before the held-out part can reach "
     "into it.",
     kParts},
    {"end-alone",
     "You ask only whether the last target is held out. A window that ends after the held-out part can start "
     "in it, or contain it.",
     kParts},
    {"both-ends-alone",
     "You ask whether the first or the last token of a window is held out. A held-out part that is shorter "
     "than a window can lie between them.",
     kParts},
    {"before-only", "You leave out the windows after the held-out part. They are free too.", kParts},
    {"after-only", "You leave out the windows before the held-out part. They are free too.", kParts},
    {"held-out-windows", "These are the windows of the held-out part. Those for training are asked for.",
     kParts},
    {"every-start", "You take every start. Only multiples of `stride` are asked for.", kParts},
    {"steps-of-a-window", "Your starts are n_ctx apart. They are multiples of `stride`.", kParts},
    {"counts-anew-after",
     "After the held-out part your starts go on from last + 1. They are multiples of `stride` there too.",
     kParts},
    {"zero-left-out", "Your first start is `stride`. The first multiple is 0.", kParts},
    {"last-window-lost", "You leave out the window whose last target is the last token, n - 1.", kParts},
    {"last-target-missing", "The last target of your last window would be token n. The last token is n - 1.",
     kParts},
    {"numbers-of-windows", "You return the numbers of the windows, s / stride. The starts are asked for.",
     kParts}};

// ---- Part 3 ----

// How many tokens that end at j are equal to those that end at t, none of them before `begin`.
inline std::size_t matched(const Tokens& tokens, std::size_t t, std::size_t j, std::size_t begin) {
  std::size_t k = 0;
  while (k <= j - begin && tokens[j - k] == tokens[t - k]) ++k;
  return k;
}

inline std::size_t first_seen(const Made& made, std::size_t t, std::size_t n_ctx) {
  if (made("whole-text")) return 0;
  const std::size_t seen = made("one-too-many-seen")  ? n_ctx + 1
                           : made("one-too-few-seen") ? n_ctx - 1
                                                      : n_ctx;
  return t + 1 > seen ? t + 1 - seen : 0;
}

inline int predicted(const Made& made, const Tokens& tokens, std::size_t t, std::size_t n_ctx) {
  const std::size_t begin = first_seen(made, t, n_ctx);
  std::size_t longest = 0, at = 0;
  std::map<int, int> times;  // of followers after a match of the longest kind
  for (std::size_t j = begin; j < t; ++j) {
    std::size_t k = matched(tokens, t, j, made("copy-from-before") ? 0 : begin);
    if (made("first-seen-left-out")) k = std::min(k, j - begin);
    if (made("neighbour-left-out") && j + 1 == t) continue;
    if (made("last-token-alone")) k = std::min<std::size_t>(k, 1);
    if (made("two-at-most")) k = std::min<std::size_t>(k, 2);
    if (made("no-overlap")) k = std::min(k, t - j);
    if (k == 0 || (made("two-needed") && k < 2)) continue;
    const bool shorter = made("shortest") && longest > 0 ? k > longest : k < longest;
    if (shorter || (made("earliest") && k == longest)) continue;
    if (k != longest) times.clear();
    longest = k, at = j;
    ++times[tokens[j + 1]];
  }
  if (longest == 0 && made("match-of-0-tokens") && t > begin) return tokens[t];
  if (longest == 0) return made("last-token-for-none") ? tokens[t] : made("0-for-none") ? 0 : -1;
  if (made("most-frequent"))
    return std::max_element(times.begin(), times.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  if (made("the-match-itself")) return tokens[at];
  if (made("two-further")) return tokens[std::min(at + 2, t)];
  if (made("position-for-token")) return static_cast<int>(at + 1);
  return made("length-for-token") ? static_cast<int>(longest) : tokens[at + 1];
}

inline Tokens copied(const Made& made, const Tokens& tokens, std::size_t n_ctx) {
  Tokens all;
  for (std::size_t t = 0; t < tokens.size(); ++t) all.push_back(predicted(made, tokens, t, n_ctx));
  if (made("one-position-late")) {
    all.insert(all.begin(), -1);
    all.pop_back();
  }
  return all;
}

inline const std::vector<Slip> kOfCopied = {
    {"last-token-alone",
     "You look for the last token alone. Of the earlier places, the one counts where most of the last tokens "
     "stood too.",
     kNeeds},
    {"two-at-most", "Your match is never longer than two tokens. The longest one counts.", kNeeds},
    {"two-needed", "You ask for two matching tokens. One is enough if there is nothing longer.", kNeeds},
    {"shortest", "You take the shortest match. The longest one is asked for.", kNeeds},
    {"earliest", "Of several matches of the same length you take the earliest. The latest is asked for.",
     kNeeds},
    {"most-frequent",
     "Of several matches of the same length you take the follower that came most often. The latest is asked "
     "for.",
     kNeeds},
    {"no-overlap",
     "Your two places may not overlap. They may: in 0 0 0 the last two tokens are the first two.", kNeeds},
    {"whole-text",
     "You search the whole text before t. Only the last n_ctx positions are seen, t itself among them.",
     kNeeds},
    {"one-too-many-seen",
     "You see n_ctx positions before t, so n_ctx + 1 in all. Position t is one of the n_ctx.", kNeeds},
    {"one-too-few-seen", "You see n_ctx - 1 positions. The first one is t - n_ctx + 1.", kNeeds},
    {"first-seen-left-out",
     "Your matches leave out the first position that is seen. It belongs to them: with k "
     "tokens compared, j - k may be that position.",
     kNeeds},
    {"neighbour-left-out",
     "You leave out j = t - 1. It is earlier than t: in 0 0 the last token has come before.", kNeeds},
    {"copy-from-before",
     "Your earlier place may begin before the first seen position. All of its k tokens must be seen.",
     kNeeds},
    {"the-match-itself",
     "You predict the token at j, which is the last token again. What follows is at j + 1.", kNeeds},
    {"two-further", "You predict the token at j + 2. The match ends at j, and j + 1 follows.", kNeeds},
    {"position-for-token", "You return the position j + 1. The token that stands there is asked for.",
     kNeeds},
    {"length-for-token", "You return the length of the match. The token after it is asked for.", kNeeds},
    {"last-token-for-none", "Where nothing matches you repeat the last token. There the entry is -1.",
     kNeeds},
    {"match-of-0-tokens",
     "You take a match of length 0, so that where nothing matches the last token is repeated. "
     "There the entry is -1.",
     kNeeds},
    {"0-for-none", "Where nothing matches you give 0, which is a token. There the entry is -1.", kNeeds},
    {"one-position-late",
     "Your entry t is what was predicted at t - 1. Entry t is the prediction of one who has read token t.",
     kNeeds}};

}  // namespace mistakes
