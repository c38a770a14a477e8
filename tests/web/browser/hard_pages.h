// Pages that are hard on a browser: one whose every text and number is hostile, one of 20 MB.
#pragma once

#include <limits>
#include <numeric>

#include "page/sample_page.h"
#include "page/sections/run_certificate.h"

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
  ordered_json& data = page.data;
  data["title"] = data["verdict"] = text;
  data["task"].update({{"name", text},
                       {"scored_on", text},
                       {"what", text},
                       {"answer", text},
                       {"success", text},
                       {"look_for", endless}});
  ordered_json sentences = ordered_json::array();
  for (const std::string& words : {text, endless, "*" + text + "*"})
    sentences.push_back({{"words", words}, {"kind", "role"}});
  data["story"] = {{"sequence", 0}, {"headline", text}, {"sentences", std::move(sentences)}};
  data["verdict_kind"] = "role";
  for (const char* kind : {"role", "circuit", "matching"})
    data["evidence"][kind] = {{"how", text}, {"rests_on", text}, {"command", text}};
  data["story"].update({{"layer", 1}, {"head", 0}, {"query", 5}, {"key", 3}});
  data["sequences"][0]["label"] = text;
  data["sequences"].push_back(data["sequences"][0]);
  data["sequences"][1]["label"] = endless;
  data["results"] = data["settings"] =
      ordered_json::array({{text, text, text}, {"name", endless, endless}, {"__proto__", "constructor", ""}});
  data["charts"] = charts_json({"predictable", text}, {}, {});
  data["charts"].push_back({{"title", text}, {"share", false}, {"curves", ordered_json::array()}});
  data["charts"].back()["curves"].push_back(
      {{"key", "other"}, {"name", text}, {"brief", text}, {"level_of", "loss_predictable"}});
  constexpr double kMost = std::numeric_limits<double>::max(),
                   kLeast = std::numeric_limits<double>::denorm_min();
  const std::vector<double> numbers = {-0.0, kLeast, -kLeast, 1e308, kMost, -kMost, 1e21, 0.1 + 0.2};
  data["metrics"].clear();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    data["metrics"].push_back(metrics_at(static_cast<std::int64_t>(i * 10),
                                         {{"accuracy_predictable", numbers[i]},
                                          {"loss_predictable", numbers[i]},
                                          {"loss_unpredictable", i == 0 ? kLeast : 0},
                                          {"other", i == 0 ? kMost : -1}},
                                         data["scores"]));
  data["metrics"].push_back(
      metrics_at(std::numeric_limits<std::int64_t>::max(), ordered_json::object(), ordered_json::array()));
  data["periods"] = {{1, -0.0, true}, {2, 1.0, false}};
  interpret::Certificate certificate;
  certificate.induction_heads = {{1, 0}};
  certificate.previous_token_heads = {{0, 0}};
  interpret::Claim& claim = certificate.claims.emplace_back();
  claim.key = "order";
  claim.standing = interpret::Standing::holds;
  claim.name = claim.says = text;
  data["certificate"] = certificate_json(certificate, {.n_layers = 2, .n_heads = 2}, ordered_json::array());
  data["certificate"].update(
      {{"verdict", text}, {"said", {{{"text", text + " L1H0"}, {"kind", "circuit"}, {"numbers", text}}}}});
  return page;
}

// 8 layers of 16 heads on a sequence of 256 tokens, with so many snapshots and measurements that the file has
// 20 MB.
inline Page large_page() {
  constexpr std::size_t kLayers = 8, kHeads = 16, kTokens = 256, kSnapshots = 16, kMeasured = 400;
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
  std::vector<interpret::HeadScores> scores;
  for (std::size_t h = 0; h < kLayers * kHeads; ++h) {
    scores.push_back({h / kHeads, h % kHeads, {rng.uniform(), rng.uniform(), rng.uniform()}});
    draw(examples);
  }
  for (std::size_t i = 0; i < kSnapshots * kLayers * kHeads; ++i) draw(history);
  Page page = full_page(2, 2);
  const std::size_t vocabulary = page.data["vocabulary"].size();
  page.data.update(data_of_heads(kLayers, kHeads, scores));
  page.data["title"] = "large";
  ordered_json s = {{"label", "256 tokens"}, {"predictable", std::vector<int>(kTokens, 1)}};
  for (std::size_t t = 0; t < kTokens; ++t) {
    s["tokens"].push_back(t % vocabulary);
    s["targets"].push_back((t + 1) % vocabulary);
    s["guesses"].push_back({{s["targets"].back(), 0.75}, {1, 0.25}});
  }
  s["patterns"] = patterns_json(examples);
  page.data["sequences"].push_back(std::move(s));
  ordered_json steps = ordered_json::array();
  for (std::size_t i = 0; i < kSnapshots; ++i) steps.push_back(i * kMeasured / kSnapshots);
  page.data["history"] = {{"steps", std::move(steps)}, {"patterns", patterns_json(history, kSnapshots)}};
  for (std::size_t i = 0; i < kMeasured; ++i) {
    const double loss = rng.uniform(), accuracy = rng.uniform();
    for (auto& head : scores)
      for (auto& value : head.values) value = rng.uniform();
    page.data["metrics"].push_back(metrics_at(
        static_cast<std::int64_t>(i), {{"loss_predictable", loss}, {"accuracy_predictable", accuracy}},
        heads_json(scores, kinds_on_page(scores))));
  }
  return page;
}

}  // namespace headlight::page
