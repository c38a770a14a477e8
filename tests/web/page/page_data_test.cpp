// Parts of a page's data that need no training.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/page/glossary.h"
#include "headlight/system/base64.h"
#include "headlight/train/weights.h"
#include "page/page_lab.h"
#include "page/sample_page.h"

using namespace headlight;
using namespace headlight::page;
using nlohmann::json;

TEST_CASE("a page has the texts of its scores and of the glossary", "[report]") {
  const json data = json::parse(page_data(sample_page().data));
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
  CHECK(data["heat"] == json::parse(R"(["#0a0a18", "#26165c", "#5d187c", "#952878", "#cc405e", "#f17040",
                                        "#fcb04a", "#fcf5b4"])"));
}

TEST_CASE("the charts of a page are loss, then accuracy, in the task's words", "[report]") {
  CHECK(charts_json({"copied", "other"}, {}, {}) == ordered_json::parse(R"([
    {"title": "Loss, in nats", "share": false,
     "curves": [{"key": "loss_predictable", "name": "copied tokens", "brief": "copied"},
                {"key": "loss_unpredictable", "name": "other tokens", "brief": "other"}]},
    {"title": "Accuracy on copied tokens", "share": true,
     "curves": [{"key": "accuracy_predictable", "name": "accuracy", "brief": "accuracy"}]}])"));
}

TEST_CASE("a page with an engine has its picture and may compile it", "[report]") {
  Page page = sample_page();
  page.picture = "<svg>a picture</svg>";
  CHECK_FALSE(contains(report_page(page), "wasm-unsafe-eval"));
  page.engine = "two modules";
  const std::string html = report_page(page), policy = "'wasm-unsafe-eval'; worker-src blob:";
  CHECK((contains(html, page.picture) && contains(html, policy)));
}

TEST_CASE("the lab's form has its settings in order, with their choices", "[report]") {
  const run::RunConfig config;
  run::Run run{config, run::make_task(config), run::make_model(config)};
  run.results.steps = 300, run.results.train_seconds = 4.5;
  const json lab = lab_json(run);
  CHECK(lab["config"] == json::parse(run::to_json(config)));
  CHECK(lab["steps"] == 300);
  CHECK(lab["seconds"] == 4.5);
  CHECK(lab["weights"] == base64(train::to_safetensors(*run.model)));
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
