// What the demo prints, put together again from the run that it saved.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/output/results_text.h"
#include "headlight/draw/heatmap.h"
#include "headlight/run/examples.h"
#include "headlight/run/generate.h"
#include "headlight/run/run.h"
#include "headlight/studies/patterns.h"
#include "program.h"

using namespace headlight;
using namespace headlight::app;

namespace {

// Lines break where the terminal ends.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

#if !defined(__SANITIZE_ADDRESS__)  // there a demo would take minutes and show nothing more
std::string words_of_demo() {
  const run::RunConfig config;
  REQUIRE((config.model.n_layers == 2 && config.model.n_heads == 4));
  const std::size_t vocabulary = config.task.d_vocab;
  return fmt::format(
      "The model reads a sequence token by token and must predict each next token. In every "
      "sequence a random segment repeats: A B C D A B C ... From the second copy on, the next "
      "token is predictable: find the same token one copy earlier, and predict what followed "
      "it. A part of the model that looks there is an induction head. Two layers of four "
      "attention heads now learn it from random numbers. Watch the loss fall when the head "
      "forms. Loss is in nats: to guess among {0} equally likely tokens costs ln {0} = {1:.2f}, "
      "to know the token costs 0. The random first copy keeps the mean above 1, however good "
      "the model is.  ",
      vocabulary, std::log(static_cast<double>(vocabulary)));
}

std::string drawn_best_head(const run::Run& saved, const interpret::HeadScores& best) {
  return draw::terminal_heatmap(
      studies::pattern_map(*saved.model, saved.task, run::first_example(saved.task, 3), best.at(),
                           studies::pattern_title(saved.results.heads, best.at())),
      draw::ColorMode::none, 100);
}
#endif

}  // namespace

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("the demo finds an induction head and says where", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome o = headlight_program("demo --steps 500 --seed 3 --out " + run, "COLUMNS=100");
  INFO(o.err);
  CHECK(o.status == 0);
  CHECK(contains(o.out, "is an induction head"));
  CHECK(contains(o.out, "row = query, column = key"));
  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["passed"] == true);
  CHECK(summary["formed_at_step"] <= 400);
  CHECK(summary["best"]["induction"]["layer"] == 1);
  CHECK(summary["best"]["induction"]["score"] >= 0.8);
  CHECK(summary["best"]["previous_token"]["layer"] == 0);
  CHECK(summary["accuracy"]["predictable"] >= 0.97);
  CHECK(summary["accuracy"]["held_out"] >= 0.95);

  const run::Run saved = run::read_run(run);
  const interpret::HeadScores *best = &saved.results.heads.front(), *previous = best;
  for (const interpret::HeadScores& head : saved.results.heads) {
    if (head["induction"] > (*best)["induction"]) best = &head;
    if (head["previous_token"] > (*previous)["previous_token"]) previous = &head;
  }
  const auto line = [](const std::string& command, const std::string& what_for) {
    const std::string beside = fmt::format("  ./headlight {:<40}  {}", command, what_for);
    return beside.size() <= 100 ? beside + "\n"
                                : fmt::format("  ./headlight {}\n      {}\n", command, what_for);
  };
  const std::string next =
      "\nNext:\n" + line("report " + run + " --open", "look at every head in the browser") +
      line(fmt::format("plot {} --layer {} --head {}", run, previous->layer, previous->head),
           "the previous-token head") +
      line("demo --seed 4 --out runs/seed_4", "another start") +
      line("train --layers 1 --out runs/one_layer", "the same task with one layer") +
      line("glossary", "what the words mean") +
      line("lessons", "how gradients and training work, step by step");
  CHECK(o.out.ends_with(next));
  CHECK(contains(o.out, drawn_best_head(saved, *best)));
  CHECK(in_one_line(o.out).starts_with(
      words_of_demo() + in_one_line(results_text(saved.results, saved.task, draw::ColorMode::none)) + " " +
      in_one_line(drawn_best_head(saved, *best)) +
      " Each row belongs to one token, the query; a bright cell marks the key, the token it "
      "looks at. From the second copy on the keys follow earlier copies of the query: a stripe, "
      "and in the third copy two. The first copy has nothing to find; its attention weights "
      "must still add up to 1, so they lie here and there.  In " +
      run + "/: report.html, "));
}
#endif

TEST_CASE("the demo of a text says what it reads, writes on, and how to go on", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome o = headlight_program("demo --text --steps 1 --seed 2 --out " + run, "COLUMNS=100");
  INFO(o.err);
  CHECK(o.status == 1);
  const run::Run saved = run::read_run(run);
  CHECK((saved.config.task.n_ctx == 128 && saved.config.train.schedule == "cosine"));
  CHECK(read_file(run + "/text.txt").size() / 1000 == 200);
  CHECK(in_one_line(o.out).starts_with(
      "The model reads stories, character by character, and must predict each next character. A "
      "small grammar wrote the stories: 200 kB, each about a person and a place whose names it "
      "invented, in capitals. Much of a story follows from the last characters; how a name goes "
      "on, only the story so far can tell. The last tenth of the text is held out.  " +
      in_one_line(results_text(saved.results, saved.task, draw::ColorMode::none)) + " In " + run + "/: "));
  std::string written = "in the morning ";
  run::Generation text(saved, {.prompt = written, .sampling = {.temperature = 0.8}, .seed = 2});
  for (int i = 0; i < 300; ++i) written += saved.task.vocabulary.bytes(text.next());
  CHECK(o.out.ends_with("\nAfter \"in the morning \" the model writes:\n\n" + written +
                        "\n\nNext:\n  ./headlight generate " + run +
                        " --prompt \"the baker of \" --tokens 500\n  ./headlight report " + run +
                        " --open\n  ./headlight train --text FILE --context 128\n"));
}
