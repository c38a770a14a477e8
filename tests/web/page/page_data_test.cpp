// All data of a page in their places: a page made by hand, whose values all differ, against its JSON.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/page/glossary.h"
#include "headlight/page/page.h"
#include "headlight/system/base64.h"
#include "page/compress.h"

using namespace headlight;
using namespace headlight::page;
using nlohmann::json;

namespace {

json data_of(const Page& page) { return json::parse(page_data(page)); }

// Two patterns (2,keys) of one weight.
PackedPatterns even(int bits, std::size_t keys, double weight, std::size_t sets = 1) {
  PackedPatterns packed(bits, 1, Sight::full);
  for (std::size_t i = 0; i < sets; ++i) packed.add(full_array({2, 2, keys}, weight));
  return packed;
}

json packed_json(const PackedPatterns& p, std::size_t keys, std::size_t sets = 1) {
  return {{"bits", p.bits()}, {"cell", 1},    {"causal", false},
          {"queries", 2},     {"keys", keys}, {"data", compressed_json(p, sets)}};
}

PackedNumbers numbers(double value, const Shape& shape = {1, 2, 1}) {
  return PackedNumbers(full_array(shape, value));
}

json numbers_json(double value, const Shape& shape = {1, 2, 1}) {
  const PackedNumbers x = numbers(value, shape);
  return {{"shape", std::vector<std::size_t>(shape.begin(), shape.end())},
          {"steps", x.steps()},
          {"data", base64(x.bytes())}};
}

// An encoder-decoder of one layer of two heads: the decoder's own heads, then those that read the source.
Page whole_page() {
  Page page;
  page.title = "a title", page.verdict = "A verdict.", page.vocabulary = {"x", "y", "z"};
  page.n_layers = 1, page.n_heads = 2;
  page.stacks = {interpret::Stack::self, interpret::Stack::cross};
  page.scores = {{0, 0, {.11, .12, .13, .14, .15}},
                 {0, 1, {.21, .22, .23}},
                 {0, 0, {}, interpret::Stack::cross},
                 {0, 1, {{}, {}, .33}, interpret::Stack::cross}};
  PageSequence s{"a label",      {1, 0}, {2, -1}, {true, false}, {{{2, .5}, {0, .25}}, {{1, .75}}},
                 even(16, 2, .5)};
  s.repeats = {0, -1};
  s.views = {{{0, 1}, {2, 1, 0}, even(16, 3, .3)}};
  page.sequences = {s};
  page.history = {{3, 9}, even(8, 2, .4, 2), {even(8, 3, .2, 2)}};
  page.metrics = {{3, {{"first", .1}, {"second", 2}}, page.scores}};
  page.charts = {{"a chart", true, {{"first", "name", "brief", "level"}, {"second", "other", "short"}}}};
  page.results = {{"result", "value", "help"}}, page.settings = {{"setting", "its value", "its help"}};
  page.story = {{"One.", "Two."}, PageStory::Place{5, 6, 7, 8}, "A headline."};
  page.task = "a task", page.labels = true, page.scored_on = "these";
  page.words = {"What.", "Answer.", "Success.", "Look for."};
  return page;
}

}  // namespace

TEST_CASE("every value of a page stands under its own key", "[report]") {
  json data = data_of(whole_page());
  for (const char* tested_below : {"glossary", "score_kinds"}) data.erase(tested_below);
  json expected = json::parse(R"({
    "title": "a title", "verdict": "A verdict.", "vocabulary": ["x", "y", "z"], "n_layers": 1, "n_heads": 2,
    "found": 0.5, "opens_with": "induction", "unseen": "#73737b",
    "story": {"sequence": 0, "headline": "A headline.", "sentences": ["One.", "Two."],
              "layer": 5, "head": 6, "query": 7, "key": 8},
    "task": {"name": "a task", "labels": true, "scored_on": "these", "what": "What.", "answer": "Answer.",
             "success": "Success.", "look_for": "Look for."},
    "scores": [[0.11, 0.12, 0.13, 0.14, 0.15], [0.21, 0.22, 0.23], [], [null, null, 0.33]],
    "results": [["result", "value", "help"]], "settings": [["setting", "its value", "its help"]],
    "heat": ["#0a0a18", "#26165c", "#5d187c", "#952878", "#cc405e", "#f17040", "#fcb04a", "#fcf5b4"],
    "metrics": [{"step": 3, "values": {"first": 0.1, "second": 2.0}}],
    "charts": [{"title": "a chart", "share": true,
                "curves": [{"key": "first", "name": "name", "brief": "brief", "level_of": "level"},
                           {"key": "second", "name": "other", "brief": "short"}]}],
    "stacks": [{}, {}],
    "history": {"steps": [3, 9]},
    "sequences": [{"label": "a label", "tokens": [1, 0], "targets": [2, -1], "predictable": [1, 0],
                   "guesses": [[[2, 0.5], [0, 0.25]], [[1, 0.75]]], "repeats": [0, -1],
                   "views": [{"tokens": [0, 1], "keys": [2, 1, 0]}]}]})");
  expected["metrics"][0]["scores"] = expected["scores"];
  expected["history"]["patterns"] = packed_json(even(8, 2, .4, 2), 2, 2);
  expected["history"]["views"] = json::array({packed_json(even(8, 3, .2, 2), 3, 2)});
  expected["sequences"][0]["patterns"] = packed_json(even(16, 2, .5), 2);
  expected["sequences"][0]["views"][0]["patterns"] = packed_json(even(16, 3, .3), 3);
  for (const std::size_t i : {0U, 1U}) {
    const auto& names = interpret::names_of(i == 0 ? interpret::Stack::self : interpret::Stack::cross);
    expected["stacks"][i] = {{"letter", names.letter}, {"of", names.of}, {"title", names.title}};
  }
  for (const auto& [key, value] : expected.items()) {
    INFO(key);
    CHECK(data[key] == value);
  }
  CHECK(data.size() == expected.size());
}

TEST_CASE("a page has the texts of its scores and of the glossary", "[report]") {
  const json data = data_of(whole_page());
  json kinds = json::array(), terms = json::array();
  for (const auto& k : interpret::score_kinds())
    if (kinds.size() < 5)
      kinds.push_back({{"key", k.key},
                       {"name", k.name},
                       {"brief", k.column},
                       {"role", k.role},
                       {"help", k.help},
                       {"drawing", k.drawing},
                       {"charted", k.charted}});
  for (const Term& term : glossary())
    terms.push_back({{"term", term.term}, {"also", term.also}, {"definition", term.definition}});
  CHECK(data["score_kinds"] == kinds);
  CHECK(data["glossary"] == terms);
}

TEST_CASE("every factor of a page stands under its own key", "[report]") {
  Page page = whole_page();
  PageScores scores{{{"head", 3}}, numbers(.1), numbers(.2), numbers(.3, {3}), 4.5, 5.5, 6};
  page.sequences[0].terms = {{scores}, {{"mlp", 7}}, numbers(.4)};
  const Shape factor{2, 1};
  PageHeadCircuit head{numbers(1, factor),
                       numbers(2, factor),
                       numbers(3, factor),
                       numbers(4, factor),
                       numbers(5, factor),
                       numbers(6, factor),
                       8,
                       numbers(7, factor),
                       .75};
  page.circuits = {
      {1, 2, 3, 4}, {head, {}}, {{9, 10, {11, 12, 13}, {14, 15, 16}}}, "no terms", "no matrices"};
  const json data = data_of(page);
  json terms = json::parse(R"({"heads": [{"parts": [["head", 3]], "cap": 4.5, "sink": 5.5, "window": 6}],
                               "logits": {"parts": [["mlp", 7]]}})");
  terms["heads"][0].update(
      {{"q", numbers_json(.1)}, {"k", numbers_json(.2)}, {"bias", numbers_json(.3, {3})}});
  terms["logits"]["contributions"] = numbers_json(.4);
  CHECK(data["sequences"][0]["terms"] == terms);
  const auto two = [&](double left, double right) {
    return json::array({numbers_json(left, factor), numbers_json(right, factor)});
  };
  const json circuits = data["circuits"];
  CHECK(circuits["heads"][0] == json{{"eigen", .75},
                                     {"ov", two(1, 2)},
                                     {"qk", two(3, 4)},
                                     {"positions", two(5, 6)},
                                     {"through", {{"head", 8}, {"right", numbers_json(7, factor)}}}});
  CHECK(circuits["heads"][1] == json{{"eigen", nullptr}});
  CHECK(circuits["turn"] == json::parse("[1.0, 2.0, 3.0, 4.0]"));
  CHECK(circuits["edges"] == json::parse("[[9, 10, [11.0, 12.0, 13.0], [14.0, 15.0, 16.0]]]"));
  CHECK(circuits["no_terms"] == "no terms");
  CHECK(circuits["no_matrices"] == "no matrices");
}

TEST_CASE("the charts of a page are loss, then accuracy, in the task's words", "[report]") {
  Page page = whole_page();
  page.charts = standard_charts("copied", "other");
  CHECK(data_of(page)["charts"] == json::parse(R"([
    {"title": "Loss, in nats", "share": false,
     "curves": [{"key": "loss_predictable", "name": "copied tokens", "brief": "copied"},
                {"key": "loss_unpredictable", "name": "other tokens", "brief": "other"}]},
    {"title": "Accuracy on copied tokens", "share": true,
     "curves": [{"key": "accuracy_predictable", "name": "accuracy", "brief": "accuracy"}]}])"));
}

TEST_CASE("the lab's form has its settings in order, with their choices", "[report]") {
  Page page = whole_page();
  page.lab = PageLab{R"({"a": 1})", "weights", {}};
  page.picture = "<svg>a picture</svg>";
  const std::string html = report_page(page), policy = "'wasm-unsafe-eval'; worker-src blob:";
  CHECK((contains(html, page.picture) && contains(html, policy)));
  page.lab.reset();
  CHECK_FALSE(contains(report_page(page), "wasm-unsafe-eval"));
  page.lab = PageLab{R"({"a": 1})", "weights", {}};
  const json lab = data_of(page)["lab"];
  CHECK(lab["config"] == json{{"a", 1}});
  CHECK(lab["weights"] == base64("weights"));
  std::string names, with_choices;
  for (const json& field : lab["form"]) {
    const std::string name = field["part"].get<std::string>() + "." + field["key"].get<std::string>();
    names += name + " ";
    if (field.contains("choices")) with_choices += name + " ";
  }
  CHECK(names ==
        "task.name task.n_ctx model.n_layers model.n_heads model.d_model model.positions model.norm "
        "model.d_mlp model.smeared_keys train.optimizer train.batch train.clip train.learning_rate "
        "train.seed ");
  CHECK(with_choices == "task.name model.positions model.norm train.optimizer ");
  CHECK(lab["form"][1]["help"] == "Positions in a sequence");
  const json tasks = lab["form"][0]["choices"];
  CHECK(tasks[0] == "repeat");
  CHECK(std::find(tasks.begin(), tasks.end(), "text") == tasks.end());
}
