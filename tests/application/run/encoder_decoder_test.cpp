// Runs of an encoder–decoder, from the config to the page.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/page/run_page.h"
#include "headlight/run/examples.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/head_table.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/files.h"
#include "page/compress.h"
#include "run/small_config.h"
#include "run/whole_run.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;
using interpret::Stack;
using nn::Architecture;

namespace {

RunConfig reverse_config(Architecture architecture = Architecture::encoder_decoder) {
  RunConfig config = small_config();
  config.task.name = "reverse";
  config.model.architecture = architecture;
  config.model.positions = "learned";
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  return config;
}

// A saved run of four steps.
struct Saved {
  TemporaryFolder temporary;
  std::filesystem::path path = temporary.path() / "run";

  explicit Saved(const RunConfig& config = reverse_config()) {
    Experiment run(config, {.threads = 1});
    run.run_until(config.train.steps);
    const Run measured = run.measure();
    write_run(path, measured, page::pages_of(measured, "run"));
  }
};

nlohmann::json page_in(const std::filesystem::path& file) {
  const std::string html = read_file(file), opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("an architecture that cannot learn the task is refused, with the tasks that fit", "[run]") {
  RunConfig config = reverse_config();
  config.task.name = "repeat";
  const std::string no_source = error_of([&] { check_config(config); });
  CHECK(contains(no_source, "an encoder-decoder reads a source, and the task 'repeat' has none"));
  CHECK(contains(no_source, "Hint: model.architecture = decoder, or a task with a source: "));
  CHECK(contains(no_source, "reverse"));
  CHECK_FALSE(contains(no_source, "copy"));
  config.model.architecture = Architecture::encoder;
  const std::string ahead = error_of([&] { Experiment run(config); });
  CHECK(
      contains(ahead, "the targets of the task 'repeat' are among its tokens, so it would read the answers"));
  CHECK(contains(ahead, "histogram"));
  config.task.name = "histogram";
  CHECK_NOTHROW(check_config(config));
}

TEST_CASE("the task draws a source for the model that reads one", "[run]") {
  const tasks::Task with = make_task(reverse_config()),
                    without = make_task(reverse_config(Architecture::decoder));
  CHECK(first_example(with, 0).source.size() == with.n_source);
  CHECK(with.n_source > 0);
  CHECK(first_example(without, 0).source.empty());
  CHECK(make_model(reverse_config())->config().n_source == with.n_source);
  CHECK(make_model(reverse_config(Architecture::decoder))->config().n_source == 0);
}

TEST_CASE("an encoder–decoder trains to the same bits with one thread and with three", "[run]") {
  WholeRun one(reverse_config(), 1), three(reverse_config(), 3);
  const Array before = flat_weights(*one.model);
  one.steps(2), three.steps(2);
  CHECK((flat_weights(*one.model) == flat_weights(*three.model)));
  CHECK(difference(before, flat_weights(*one.model)) > 1e-4);
  const train::Evaluation e =
      EvaluationSets(one.task, 1).evaluate(*one.model, one.pool, Extent::along_the_way);
  CHECK(std::isfinite(e.loss));
}

TEST_CASE("the heads of all stacks are in the files of a run, and are read again", "[run]") {
  const Saved saved;
  const Results r = read_run(saved.path, Parts::results).results;
  REQUIRE(r.heads.size() == 12);
  CHECK(r.heads[4].at() == interpret::HeadAt{0, 0, Stack::encoder});
  CHECK(r.heads[8].at() == interpret::HeadAt{0, 0, Stack::cross});
  CHECK(r.heads[8].has(interpret::kAnswer));
  CHECK(all_metrics(read_run(saved.path)).front().heads.back().at() == interpret::HeadAt{1, 1, Stack::cross});
  const auto json = nlohmann::json::parse(to_json(r));
  CHECK(json["heads"][8]["stack"] == "cross");
  CHECK(json["best"]["answer"]["stack"] == "cross");
  CHECK_FALSE(json["heads"][0].contains("stack"));
  const Run run = read_run(saved.path);
  ThreadPool pool;
  const auto again =
      EvaluationSets(run.task, run.config.train.seed).score_heads(*run.model, pool, Extent::full);
  for (std::size_t i = 0; i < 12; ++i) CHECK(again[i].values == r.heads[i].values);
}

TEST_CASE("a resumed encoder–decoder ends with the bits of an uninterrupted one", "[run]") {
  const Saved saved;
  RunConfig longer = reverse_config();
  longer.train.steps = 6;
  Experiment whole(longer, {.threads = 1}),
      resumed = Experiment::resume(read_run(saved.path), {.threads = 1, .steps = 6});
  whole.run_until(6), resumed.run_until(6);
  CHECK((flat_weights(whole.model()) == flat_weights(resumed.model())));
  CHECK(metrics_line(whole.metrics().back()) == metrics_line(resumed.metrics().back()));
}

TEST_CASE("a decoder's scores of a copy have no stack, and the answer score where the task has answers",
          "[run]") {
  const Saved saved(reverse_config(Architecture::decoder));
  const Results r = read_run(saved.path, Parts::results).results;
  REQUIRE(r.heads.size() == 4);
  CHECK(r.heads[0].has(interpret::kAnswer));
  CHECK(nlohmann::json::parse(to_json(r))["heads"][0].contains("answer"));
  RunConfig repeats = small_config();
  repeats.train.steps = 4, repeats.train.evaluate_every = 2;
  const Saved demo(repeats);
  CHECK_FALSE(contains(read_file(demo.path / files::kSummary), "answer\""));
  CHECK(studies::heads_csv(read_run(demo.path, Parts::results).results.heads)
            .starts_with("layer,head,previous_token,duplicate_token,induction,self,first_token\n0,0,"));
}

TEST_CASE("a head of cross-attention is drawn with the source as its keys", "[run]") {
  const Saved saved;
  const Run run = read_run(saved.path);
  const Example example = first_example(run.task, 0);
  const auto map = [&](const interpret::HeadAt& head) {
    return pattern_map(*run.model, run.task, example, head, "title");
  };
  const auto texts = [&](const std::vector<std::int32_t>& tokens) {
    std::vector<std::string> all;
    for (const std::int32_t token : tokens) all.push_back(run.task.vocabulary.text(token));
    return all;
  };
  const draw::Heatmap cross = map({1, 0, Stack::cross}), encoder = map({1, 0, Stack::encoder}),
                      self = map({1, 0});
  CHECK(cross.queries == texts(example.tokens));
  CHECK(cross.keys == texts(example.source));
  CHECK(encoder.queries == texts(example.source));
  CHECK(encoder.keys == texts(example.source));
  CHECK(self.keys == texts(example.tokens));
  CHECK(cross.weights.shape() == Shape{example.tokens.size(), example.source.size()});
  CHECK(error_of([&] { map({2, 0, Stack::cross}); }) == "there is no layer 2: the model has layers 0 … 1.");
  const Results r = read_run(saved.path, Parts::results).results;
  CHECK(contains(pattern_title(r.heads, {1, 0, Stack::cross}), "Layer 1, head 0 of cross-attention: "));
  CHECK(head_to_show_first(r.heads) == interpret::best_head(r.heads, interpret::kAnswer).at());
}

TEST_CASE("the page shows every stack, each with its own axes", "[run]") {
  const Saved saved;
  const auto page = page_in(saved.path / files::kPage);
  REQUIRE(page["stacks"].size() == 3);
  CHECK(page["stacks"][2]["letter"] == "C");
  const auto& first = page["sequences"][0];
  REQUIRE(first["views"].size() == 2);
  for (std::size_t i = 0; i < 3; ++i) {
    using enum interpret::Stack;
    const auto& names = interpret::names_of(std::array{self, encoder, cross}[i]);
    CHECK(page["stacks"][i] ==
          nlohmann::json{{"letter", names.letter}, {"of", names.of}, {"title", names.title}});
  }
  const Run run = read_run(saved.path);
  const Example example = first_example(run.task, run.config.train.seed);
  CHECK(first["patterns"]["causal"] == true);
  CHECK(first["views"][0]["patterns"]["causal"] == false);
  CHECK(first["views"][0]["tokens"] == example.source);
  CHECK_FALSE(first["views"][0].contains("keys"));
  CHECK(first["views"][1]["tokens"] == example.tokens);
  CHECK(first["views"][1]["keys"] == example.source);
  CHECK(page["scores"].size() == 12);
  CHECK(page["scores"][8][2].is_null());
  CHECK(page["opens_with"] == "answer");
  CHECK(page["history"]["views"].size() == 2);
  page::PackedPatterns cross(16, 1, page::Sight::full);
  const interpret::CachedRun cached = patterns_of(*run.model, example);
  for (const char* name : {"blocks.0.cross_attn.hook_pattern", "blocks.1.cross_attn.hook_pattern"})
    cross.add(cached.cache[name]);
  CHECK(first["views"][1]["patterns"]["data"] == nlohmann::json(page::compressed_json(cross, 1)));
}

TEST_CASE("an encoder's page holds whole patterns", "[run]") {
  RunConfig config = reverse_config(Architecture::encoder);
  config.task.name = "histogram";
  const Saved saved(config);
  const auto page = page_in(saved.path / files::kPage);
  CHECK_FALSE(page.contains("stacks"));
  CHECK(page["sequences"][0]["patterns"]["causal"] == false);
  CHECK(page["history"]["patterns"]["causal"] == false);
}

TEST_CASE("a sequence of one's own has a source where the task has one", "[run]") {
  const tasks::Task with = make_task(reverse_config()),
                    without = make_task(reverse_config(Architecture::decoder));
  const std::string a = with.vocabulary.text(2), b = with.vocabulary.text(3);
  const Example own = own_example(with, "|" + a, a + b);
  CHECK(own.tokens == std::vector<std::int32_t>{0, 2});
  CHECK(own.source == std::vector<std::int32_t>{2, 3});
  CHECK(contains(error_of([&] { own_example(with, a, ""); }),
                 "has a source, and none was given. Hint: --source"));
  CHECK(contains(error_of([&] { own_example(without, a, b); }), "the task 'reverse' has no source"));
  std::string longer;
  for (std::size_t i = 0; i <= with.n_source; ++i) longer += a;
  CHECK(contains(error_of([&] { own_example(with, a, longer); }),
                 "does not fit: the task 'reverse' has up to"));
}

TEST_CASE("the table of heads has a part for each stack, with the scores that its heads have", "[run]") {
  const std::vector<interpret::HeadScores> heads{{0, 0, {.5, {}, {}, .25, .125}},
                                                 {0, 0, {.25, {}, {}, .5, .125}, Stack::encoder},
                                                 {0, 0, {{}, {}, {}, {}, {}, .875, .0625}, Stack::cross}};
  CHECK(studies::heads_csv(heads) ==
        "stack,layer,head,previous_token,self,first_token,answer,same_place\n"
        "self,0,0,0.5,0.25,0.125,,\n"
        "encoder,0,0,0.25,0.5,0.125,,\n"
        "cross,0,0,,,,0.875,0.0625\n");
  const std::string table = studies::head_table(heads, draw::ColorMode::none);
  CHECK(contains(table, "\nCross-attention: from the tokens to the source\nhead    answer"));
  CHECK(contains(table, "C0H0     0.875"));
  CHECK(contains(table, "answer head\n"));
  CHECK(contains(table, "E0H0  "));
}
