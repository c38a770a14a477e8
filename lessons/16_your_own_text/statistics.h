// What counting and copying would predict of a text, before any model is trained on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/text.h"

namespace headlight::lesson {

inline constexpr std::size_t kWindows = 64;  // of each part of a text, to measure on

inline std::vector<tasks::Sequence> windows(const tasks::Task& task, const tasks::Generator& part) {
  std::vector<tasks::Sequence> all;
  for (std::size_t i = 0; i < kWindows; ++i) all.push_back(tasks::draw_sequence(task, part, Rng(9), i));
  return all;
}

// Mean losses: on all characters, on those that the task calls copied, and on the others.
struct Losses {
  double all = 0, copied = 0, others = 0;
};

inline Losses losses_of(const tasks::Losses& predictor, const std::vector<tasks::Sequence>& windows) {
  double copied = 0, others = 0, n_copied = 0, n_others = 0;
  for (const tasks::Sequence& s : windows) {
    const std::vector<double> losses = predictor(s);
    for (std::size_t t = 0; t < losses.size(); ++t) {
      (s.predictable[t] ? copied : others) += losses[t];
      ++(s.predictable[t] ? n_copied : n_others);
    }
  }
  return {(copied + others) / (n_copied + n_others), copied / std::max(n_copied, 1.0),
          others / std::max(n_others, 1.0)};
}

// How many tokens that end at `a` are equal to those that end at `b` < a.
inline std::size_t matched(const std::vector<std::int32_t>& tokens, std::size_t a, std::size_t b) {
  std::size_t length = 0;
  while (length <= b && tokens[a - length] == tokens[b - length]) ++length;
  return length;
}

// What followed the longest earlier match of the tokens that end at `t`, the latest of several; -1 if the
// last token is new.
inline std::int32_t copied(const std::vector<std::int32_t>& tokens, std::size_t t) {
  std::size_t longest = 0;
  std::int32_t follower = -1;
  for (std::size_t j = 0; j < t; ++j)
    if (const std::size_t length = matched(tokens, t, j); length > 0 && length >= longest)
      longest = length, follower = tokens[j + 1];
  return follower;
}

// The token that most often follows each token, in the training part of the text.
inline std::vector<std::int32_t> most_likely_followers(const tasks::Task& task) {
  const std::vector<std::int32_t> tokens = task.vocabulary.tokens(task.files[0].content);
  const std::size_t held_out = std::max(tokens.size() / 10, task.config.n_ctx + 1), V = task.config.d_vocab;
  std::vector<std::vector<std::size_t>> counts(V, std::vector<std::size_t>(V, 0));
  for (std::size_t i = 1; i + held_out < tokens.size(); ++i)
    ++counts[static_cast<std::size_t>(tokens[i - 1])][static_cast<std::size_t>(tokens[i])];
  std::vector<std::int32_t> followers;
  for (const std::vector<std::size_t>& row : counts)
    followers.push_back(static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  return followers;
}

// The shares of characters that a copy says right, that counting pairs says right, and that only a copy does.
struct Shares {
  double copy = 0, pairs = 0, only_copy = 0;
};

inline Shares shares_of(const tasks::Task& task) {
  const std::vector<std::int32_t> followers = most_likely_followers(task);
  Shares shares;
  const double each = 1.0 / static_cast<double>(kWindows * task.config.n_ctx);
  for (const tasks::Sequence& s : windows(task, task.held_out))
    for (std::size_t t = 0; t < s.tokens.size(); ++t) {
      const bool copy = copied(s.tokens, t) == s.targets[t],
                 pairs = followers[static_cast<std::size_t>(s.tokens[t])] == s.targets[t];
      shares.copy += copy ? each : 0;
      shares.pairs += pairs ? each : 0;
      shares.only_copy += copy && !pairs ? each : 0;
    }
  return shares;
}

}  // namespace headlight::lesson
