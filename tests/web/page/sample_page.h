// Small pages: one with a vocabulary that would break a careless page, one of heads that see every key.
#pragma once

#include <algorithm>

#include "headlight/page/page.h"

namespace headlight::page {

inline const std::vector<std::string> kHostileVocabulary = {"</script><script>alert(1)</script>",
                                                            "\"'&<b>",
                                                            " ",
                                                            "\n",
                                                            std::string("\0", 1),
                                                            "🙂",
                                                            "<img src=x onerror=alert(2)>",
                                                            "{{data}}",
                                                            "\xe2\x80\xa8",
                                                            "\xff",
                                                            "",
                                                            "é",
                                                            "</title>",
                                                            "--><!--",
                                                            "${alert(3)}",
                                                            "\xe2\x80\xae"};

// Two layers of two heads on one sequence that holds every token of the vocabulary; each row attends evenly.
inline Page sample_page(const std::vector<std::string>& vocabulary = kHostileVocabulary,
                        std::size_t cell = 1) {
  const std::size_t n = vocabulary.size();
  Array patterns = empty_array({4, n, n});
  for (std::size_t h = 0; h < 4; ++h)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) patterns(h, i, j) = j <= i ? Real{1} / static_cast<Real>(i + 1) : 0;
  const std::vector<interpret::HeadScores> scores = {
      {0, 0, {.5, .1, .2}}, {0, 1, {.1, .2, .3}}, {1, 0, {0, 0, .9}}, {1, 1, {0, .4, .1}}};

  PageSequence s{"</option> & a sequence", {}, {}, std::vector<bool>(n, true), {}, PackedPatterns(16, cell)};
  for (std::size_t t = 0; t < n; ++t) {
    s.tokens.push_back(static_cast<std::int32_t>(t));
    s.targets.push_back(t + 1 < n ? static_cast<std::int32_t>(t + 1) : -1);
    s.guesses.push_back({{s.targets.back() >= 0 && t % 2 == 0 ? s.targets.back() : 0, 0.75}, {1, 0.25}});
  }
  s.patterns.add(patterns);

  Page page;
  page.title = "</title><script>alert(4)</script>";
  page.verdict = "Head 1.0 & <b>nothing</b> else.";
  page.vocabulary = vocabulary;
  page.n_layers = page.n_heads = 2;
  page.scores = scores;
  page.sequences = {s};
  page.history = {{0, 10}, PackedPatterns(8, cell)};
  page.history.patterns.add(patterns);
  page.history.patterns.add(patterns);
  const auto values = [](double accuracy, double loss) {
    return std::vector<std::pair<std::string, double>>{
        {"accuracy_predictable", accuracy}, {"loss_predictable", loss}, {"loss_unpredictable", 2.75}};
  };
  page.metrics = {{0, values(0, 2.5), scores}, {10, values(1, .5), scores}};
  page.results = {{"command", "./headlight demo --out '</script>'"}};
  page.settings = {{"task.name", "<i>repeat</i>"}};
  return page;
}

// One layer of two heads whose queries see every key, and weights that differ: head h gives key j of
// query i a part of 1 + (i + j (h + 1)) % 3. Where `keys` are more or fewer, they are tokens of another
// sequence, from the end of the alphabet. Nothing is predicted; of the metrics, only one loss was measured,
// and only once.
inline Page full_page(std::size_t queries, std::size_t keys) {
  Array patterns = empty_array({2, queries, keys});
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < queries; ++i) {
      std::size_t total = 0;
      for (std::size_t j = 0; j < keys; ++j) total += 1 + (i + j * (h + 1)) % 3;
      for (std::size_t j = 0; j < keys; ++j)
        patterns(h, i, j) = static_cast<Real>(1 + (i + j * (h + 1)) % 3) / static_cast<Real>(total);
    }
  PageSequence s{"all that is said", {}, {}, {}, {}, PackedPatterns(16, 1, Sight::full)};
  for (std::size_t t = 0; t < queries; ++t) s.tokens.push_back(static_cast<std::int32_t>(t));
  for (std::size_t t = 0; keys != queries && t < keys; ++t)
    s.keys.push_back(static_cast<std::int32_t>(25 - t));
  s.patterns.add(patterns);

  Page page;
  page.title = "full";
  page.verdict = "Every head sees every key.";
  for (char letter = 'a'; letter <= 'z'; ++letter) page.vocabulary.emplace_back(1, letter);
  page.n_layers = 1;
  page.n_heads = 2;
  page.scores = {{0, 0, {.5, .1, .2}}, {0, 1, {.1, .2, .3}}};
  page.sequences = {s};
  page.history = {{0, 10}, PackedPatterns(8, 1, Sight::full)};
  for (std::size_t step = 0; step < 2; ++step) page.history.patterns.add(patterns);
  page.metrics = {{0, {{"loss_predictable", 2.5}}, page.scores}, {10, {}, {}}};
  return page;
}

}  // namespace headlight::page
