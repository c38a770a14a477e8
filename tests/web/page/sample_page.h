// Small pages: one with a vocabulary that would break a careless page, one of heads that see every key.
#pragma once

#include <algorithm>

#include "headlight/draw/color.h"
#include "page/page.h"
#include "page/sections/run_metrics.h"
#include "page/sections/run_sequences.h"

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

using nlohmann::ordered_json;

// What a page of these heads has, but the sequences and the history.
inline ordered_json data_of_heads(std::size_t layers, std::size_t heads,
                                  const std::vector<interpret::HeadScores>& scores) {
  const ScoreKinds kinds = kinds_on_page(scores);
  ordered_json data = {{"n_layers", layers},
                       {"n_heads", heads},
                       {"found", interpret::kFoundScore},
                       {"score_kinds", score_table_json(kinds)},
                       {"opens_with", interpret::score_to_show_first(scores)},
                       {"story", {{"sequence", 0}, {"headline", ""}, {"sentences", ordered_json::array()}}},
                       {"glossary", glossary_json()},
                       {"task",
                        {{"name", ""},
                         {"labels", false},
                         {"scored_on", ""},
                         {"what", ""},
                         {"answer", ""},
                         {"success", ""},
                         {"look_for", ""}}},
                       {"scores", heads_json(scores, kinds)},
                       {"charts", charts_json({}, {}, {})}};
  for (const char* list : {"results", "settings", "metrics", "sequences"}) data[list] = ordered_json::array();
  data["heat"] = draw::heat_colors();
  data["unseen"] = hex(draw::kUnseen);
  return data;
}

inline ordered_json metrics_at(std::int64_t step, ordered_json values, ordered_json scores) {
  return {{"step", step}, {"values", std::move(values)}, {"scores", std::move(scores)}};
}

// Two layers of two heads on one sequence that holds every token of the vocabulary; each row attends evenly.
inline Page sample_page(const std::vector<std::string>& vocabulary = kHostileVocabulary,
                        std::size_t cell = 1) {
  const std::size_t n = vocabulary.size();
  Array patterns = empty_array({4, n, n});
  for (std::size_t h = 0; h < 4; ++h)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) patterns(h, i, j) = j <= i ? Real{1} / static_cast<Real>(i + 1) : 0;
  ordered_json data = data_of_heads(
      2, 2, {{0, 0, {.5, .1, .2}}, {0, 1, {.1, .2, .3}}, {1, 0, {0, 0, .9}}, {1, 1, {0, .4, .1}}});
  PackedPatterns now(16, cell), along(8, cell);
  now.add(patterns), along.add(patterns), along.add(patterns);
  ordered_json s = {{"label", "</option> & a sequence"}, {"predictable", std::vector<int>(n, 1)}};
  for (std::size_t t = 0; t < n; ++t) {
    const int target = t + 1 < n ? static_cast<int>(t + 1) : -1;
    s["tokens"].push_back(t);
    s["targets"].push_back(target);
    s["guesses"].push_back({{target >= 0 && t % 2 == 0 ? target : 0, 0.75}, {1, 0.25}});
  }
  s["patterns"] = patterns_json(now);
  data["title"] = "</title><script>alert(4)</script>";
  data["verdict"] = "Head 1.0 & <b>nothing</b> else.";
  data["vocabulary"] = vocabulary;
  data["sequences"].push_back(std::move(s));
  data["history"] = {{"steps", {0, 10}}, {"patterns", patterns_json(along, 2)}};
  for (const auto& [step, accuracy, loss] : {std::tuple(0, 0.0, 2.5), {10, 1.0, .5}})
    data["metrics"].push_back(metrics_at(
        step, {{"accuracy_predictable", accuracy}, {"loss_predictable", loss}, {"loss_unpredictable", 2.75}},
        data["scores"]));
  data["results"].push_back({"command", "./headlight demo --out '</script>'", ""});
  data["settings"].push_back({"task.name", "<i>repeat</i>", ""});
  return {std::move(data)};
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
  ordered_json data = data_of_heads(1, 2, {{0, 0, {.5, .1, .2}}, {0, 1, {.1, .2, .3}}});
  PackedPatterns now(16, 1, Sight::full), along(8, 1, Sight::full);
  now.add(patterns), along.add(patterns), along.add(patterns);
  ordered_json s = {{"label", "all that is said"}, {"tokens", ordered_json::array()}};
  for (const char* list : {"targets", "predictable", "guesses"}) s[list] = ordered_json::array();
  for (std::size_t t = 0; t < queries; ++t) s["tokens"].push_back(t);
  s["patterns"] = patterns_json(now);
  for (std::size_t t = 0; keys != queries && t < keys; ++t) s["keys"].push_back(25 - t);
  data["title"] = "full";
  data["verdict"] = "Every head sees every key.";
  for (char letter = 'a'; letter <= 'z'; ++letter) data["vocabulary"].push_back(std::string(1, letter));
  data["sequences"].push_back(std::move(s));
  data["history"] = {{"steps", {0, 10}}, {"patterns", patterns_json(along, 2)}};
  data["metrics"].push_back(metrics_at(0, {{"loss_predictable", 2.5}}, data["scores"]));
  data["metrics"].push_back(metrics_at(10, ordered_json::object(), ordered_json::array()));
  return {std::move(data)};
}

}  // namespace headlight::page
