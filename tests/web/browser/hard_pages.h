// Pages that are hard on a browser: one whose every text and number is hostile, one of 20 MB.
#pragma once

#include <limits>
#include <numeric>

#include "page/sample_page.h"

namespace headlight::page {

// What a careless page would run, load, end an element at, or print in another direction.
inline std::string hostile_text() {
  return "</script><script>document.title='run'</script></style></title><img "
         "src=//elsewhere.test/a onerror=alert(1)><svg "
         "onload=alert(2)>]]>--><!--javascript:alert(3) ${alert(4)} {{data}} {{script}} __proto__ "
         "\"'`&lt;&amp;\\u003c\\ *head* "
         "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf" +
         std::string("\0\x1b[2J\x7f\r\n\xff\xed\xa0\x80\xc0\xaf", 15) + " url(//elsewhere.test/b) @import";
}

inline std::vector<std::string> hostile_words() {
  std::vector<std::string> words = kHostileVocabulary;
  for (const char* word :
       {"__proto__", "constructor", "toString", "hasOwnProperty", "javascript:alert(1)", "]]>", "&lt;", "\\",
        "*head*", "L1H0", "\xd7\xa9\xd7\x9c", "\xe2\x80\x8f", "\xe2\x81\xa7", "NaN", "null"})
    words.emplace_back(word);
  words.emplace_back(10'000, 'x');
  words.push_back(hostile_text());
  std::string deep = "a";  // with so many marks above it
  for (int i = 0; i < 1'000; ++i) deep += "\xcc\x81";
  words.push_back(deep);
  return words;
}

inline Page hostile_page() {
  const std::string text = hostile_text(), endless(10'000, 'w');
  Page page = sample_page(hostile_words());
  page.title = page.verdict = page.task = page.scored_on = page.story.headline = text;
  page.words = {text, text, text, endless};
  page.story.sentences = {text, endless, "*" + text + "*"};
  page.story.place = PageStory::Place{1, 0, 5, 3};
  page.sequences[0].label = text;
  page.sequences.push_back(page.sequences[0]);
  page.sequences[1].label = endless;
  page.results =
      page.settings = {{text, text, text}, {"name", endless, endless}, {"__proto__", "constructor"}};
  page.charts = standard_charts("predictable", text);
  page.charts.push_back({text, false, {{"other", text, text, "loss_predictable"}}});
  constexpr double kMost = std::numeric_limits<double>::max(),
                   kLeast = std::numeric_limits<double>::denorm_min();
  const std::vector<double> numbers = {-0.0, kLeast, -kLeast, 1e308, kMost, -kMost, 1e21, 0.1 + 0.2};
  page.metrics.clear();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    page.metrics.push_back({static_cast<std::int64_t>(i * 10),
                            {{"accuracy_predictable", numbers[i]},
                             {"loss_predictable", numbers[i]},
                             {"loss_unpredictable", i == 0 ? kLeast : 0},
                             {"other", i == 0 ? kMost : -1}},
                            page.scores});
  page.metrics.push_back({std::numeric_limits<std::int64_t>::max(), {}, {}});
  page.periods = {{1, -0.0, true}, {2, 1, false}};
  PageClaim claim;
  claim.key = "order";
  claim.standing = "holds";
  claim.name = text;
  claim.says = text;
  page.certificate = PageCertificate{text, text + " L1H0", 0, {2}, {0}, {}, {claim}};
  return page;
}

// 8 layers of 16 heads on a sequence of 256 tokens, with so many snapshots and measurements that the file has
// 20 MB.
inline Page large_page() {
  constexpr std::size_t kLayers = 8, kHeads = 16, kTokens = 256, kSnapshots = 16, kMeasured = 400;
  Page page = full_page(2, 2);
  page.title = "large";
  page.n_layers = kLayers;
  page.n_heads = kHeads;
  page.charts = standard_charts();
  Rng rng(0);
  Array patterns = empty_array({1, kTokens, kTokens});
  PackedPatterns examples(16), history(8, 4);
  const auto draw = [&](PackedPatterns& into) {
    for (std::size_t q = 0; q < kTokens; ++q) {
      double sum = 0;
      for (std::size_t k = 0; k < kTokens; ++k)
        sum += patterns(0, q, k) = k <= q ? static_cast<Real>(rng.uniform()) : 0;
      for (std::size_t k = 0; k <= q; ++k) patterns(0, q, k) /= static_cast<Real>(sum);
    }
    into.add(patterns);
  };
  page.scores.clear();
  for (std::size_t h = 0; h < kLayers * kHeads; ++h) {
    page.scores.push_back({h / kHeads, h % kHeads, {rng.uniform(), rng.uniform(), rng.uniform()}});
    draw(examples);
  }
  for (std::size_t i = 0; i < kSnapshots * kLayers * kHeads; ++i) draw(history);
  PageSequence s{"256 tokens", std::vector<std::int32_t>(kTokens), {}, std::vector<bool>(kTokens, true), {},
                 examples};
  for (std::size_t t = 0; t < kTokens; ++t) {
    s.tokens[t] = static_cast<std::int32_t>(t % page.vocabulary.size());
    s.targets.push_back(static_cast<std::int32_t>((t + 1) % page.vocabulary.size()));
    s.guesses.push_back({{s.targets.back(), 0.75}, {1, 0.25}});
  }
  page.sequences = {s};
  page.history = {{}, history};
  for (std::size_t i = 0; i < kSnapshots; ++i)
    page.history.steps.push_back(static_cast<std::int64_t>(i * kMeasured / kSnapshots));
  page.metrics.clear();
  for (std::size_t i = 0; i < kMeasured; ++i) {
    page.metrics.push_back({static_cast<std::int64_t>(i),
                            {{"loss_predictable", rng.uniform()}, {"accuracy_predictable", rng.uniform()}},
                            page.scores});
    for (auto& head : page.metrics.back().heads)
      for (auto& value : head.values) value = rng.uniform();
  }
  return page;
}

}  // namespace headlight::page
