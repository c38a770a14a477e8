// ./headlight task: samples, and the page of all tasks.
#include "app/output/task_table.h"
#include "app/output/task_text.h"
#include "app/program.h"
#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"
#include "headlight/tasks/batch.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::app;

TEST_CASE("a sample shows tokens above targets, and marks what is predictable", "[program]") {
  const tasks::Task task{.config = {.name = "some", .d_vocab = 4, .n_ctx = 5},
                         .vocabulary = tasks::Vocabulary::of_size(4),
                         .training = {}};
  const tasks::Sequence s{
      {0, 1, 2, 3, 0}, {1, tasks::kNoTarget, 3, 0, 2}, {false, true, true, false, true}, {}, "a note"};
  CHECK(sample_text(task, s, draw::ColorMode::none, 79) ==
        "a note\nreads    ABCDA\npredicts B DAC\n           ^ ^\n");
  CHECK(sample_text(task, s, draw::ColorMode::none, 12) ==
        "a note\nreads    ABC\npredicts B D\n           ^\nreads    DA\npredicts AC\n          ^\n");
  const std::string colored = sample_text(task, s, draw::ColorMode::truecolor, 79);
  CHECK(contains(colored, "predicts B \x1b[38;2;0;158;115mD\x1b[0m"));
  CHECK_FALSE(contains(colored, "^"));
  CHECK(has_predictable(s));
  CHECK_FALSE(has_predictable({{0, 1}, {1, 2}, {false, false}}));
}

TEST_CASE("tokens of several characters stand in columns, and a source above them", "[program]") {
  const tasks::Task task{.config = {.name = "some", .d_vocab = 2, .n_ctx = 2},
                         .vocabulary = tasks::Vocabulary({"×1", "a"}),
                         .training = {}};
  CHECK(sample_text(task, {{0, 1}, {1, 0}, {}, {1, 1}}, draw::ColorMode::none, 79) ==
        "source   a  a\nreads    ×1 a\npredicts a  ×1\n         ^  ^\n");
}

TEST_CASE("every task is listed and described with its best loss", "[program]") {
  const std::string list = list_of_tasks();
  for (const auto& entry : tasks::registry().entries()) CHECK(contains(list, entry.name + " "));
  const tasks::Task markov = tasks::make_task({.name = "markov", .n_ctx = 16});
  const std::string text = description_of(markov) + losses_text(markov, measured_losses(markov, 0));
  CHECK(contains(text, "1.3863"));
  CHECK(contains(text, "best possible loss"));
  CHECK_FALSE(contains(text, "*"));
  for (const std::string& line : text_lines(text)) CHECK(display_width(line) <= 79);
}

TEST_CASE("the losses of large sequences are measured on fewer, and this is said", "[program]") {
  const auto measured = [](const tasks::TaskConfig& config) {
    const tasks::Task task = tasks::make_task(config);
    return losses_text(task, measured_losses(task, 0));
  };
  CHECK(contains(measured({.name = "markov"}), "± is the standard error: measured on 256 sequences."));
  CHECK(contains(measured({.name = "markov", .n_ctx = 10'000}), "measured on 9 "));
  CHECK_FALSE(contains(measured({.name = "repeat"}), "±"));
  CHECK(contains(measured({.name = "repeat"}), "The best possible loss is 1.4566 nats."));
}

TEST_CASE("the command task prints a task's words, its losses, and samples", "[program]") {
  const tasks::Task task = tasks::make_task({.name = "copy", .d_vocab = 40, .n_ctx = 32});
  std::string expected = description_of(task) + losses_text(task, measured_losses(task, 3));
  for (const std::uint64_t i : {0U, 1U})
    expected += "\n" + sample_text(task, tasks::draw_sequence(task, task.training, Rng(3), i),
                                   draw::ColorMode::none, 100);
  CHECK(headlight_program("task copy --vocab 40 --context 32 --seed 3 --count 2", "COLUMNS=100").out ==
        expected + "\n^: the model can know the target from the tokens so far.\n");
  CHECK_FALSE(contains(headlight_program("task markov --context 8").out, "the model can know"));
  CHECK(headlight_program("task").out == list_of_tasks());
}

TEST_CASE("the command names what is wrong", "[program]") {
  check_refused("task recal", "Did you mean 'recall'?");
  check_refused("task khop --hops 9 --context 16", "or smaller --hops or --states");
  check_refused("task copy --count 0", "--count must be at least 1");
  check_refused("task --table --recipes /nowhere", "there is no recipe '/nowhere/repeat.json'");
}

TEST_CASE("a recipe is of its own task", "[program]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "sort.json", "{\"task\": {\"name\": \"copy\"}}");
  CHECK(contains(error_of([&] { recipe_of("sort", folder.path()); }), "is of the task 'copy'"));
}

TEST_CASE("docs/tasks.md has every task with its sentence", "[program]") {
  const auto rows = [](const std::string& page) {
    std::vector<std::string> all;  // without the numbers, which come from training
    for (const std::string& line : text_lines(page))
      if (line.starts_with("| [")) all.push_back(line.substr(0, line.find(" | ", line.find(" | ") + 3)));
    return all;
  };
  std::vector<std::string> trained;
  const std::string page = page_of_tasks(HEADLIGHT_SOURCE_DIR "/data/configs", [&](const auto& config) {
    trained.push_back(config.task.name);
    return run::Results{};
  });
  CHECK(trained == tasks::registry().names());
  const std::string shipped = read_file(HEADLIGHT_SOURCE_DIR "/docs/tasks.md");
  CHECK(rows(shipped) == rows(page));
  CHECK(rows(page).size() == trained.size());
  CHECK(shipped.substr(0, shipped.find("| [")) == page.substr(0, page.find("| [")));
  CHECK(shipped.substr(shipped.rfind(" |\n")) == page.substr(page.rfind(" |\n")));
}
