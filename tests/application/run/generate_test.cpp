// Generation, and a run of a text from its file to its folder.
#include "headlight/run/generate.h"

#include <set>

#include "catch.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/tasks/grammar.h"
#include "headlight/tasks/text.h"
#include "run/saved.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

RunConfig text_config(const std::filesystem::path& file) {
  RunConfig c;
  c.task.name = "text", c.task.text = file.string(), c.task.n_ctx = 16;
  c.model.n_layers = 1, c.model.n_heads = 2, c.model.d_model = 16;
  c.train.steps = 12, c.train.batch = 8, c.train.history = 2, c.train.evaluate_every = 6;
  return c;
}

std::string generated(const Run& run, const GenerateOptions& options, int tokens) {
  Generation generation(run, options);
  std::string text;
  for (int i = 0; i < tokens; ++i) text += run.task.vocabulary.bytes(generation.next());
  return text;
}

}  // namespace

TEST_CASE("a text is trained, saved, resumed and written on", "[run][text]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "story.txt", saved = folder.path() / "run",
                              stopped = folder.path() / "stopped";
  write_file(file, tasks::grammar_text(4000, 1));
  Experiment run(text_config(file));
  run.run_until(12);
  const Results results = save(run, saved);
  CHECK(results.loss_held_out.has_value());
  CHECK(contains(results.verdict, "than counting pairs of characters: its loss on held-out sequences is "));
  CHECK(interpret::is_scored(results.heads, interpret::kAnswer));
  CHECK(interpret::is_scored(results.heads, interpret::kInduction));

  Experiment half(text_config(file));
  half.run_until(5);
  save(half, stopped);
  std::filesystem::remove(file);  // the folder has its own copy
  Experiment rest = Experiment::resume(read_run(stopped));
  rest.run_until(12);
  save(rest, stopped);
  for (const char* name : {files::kModel, files::kConfig, files::kMetrics, tasks::kTextFile})
    CHECK(read_file(saved / name) == read_file(stopped / name));

  const Run loaded = read_run(saved);
  const GenerateOptions options{.prompt = "in the ", .sampling = {.temperature = 0.8, .top_k = 5}, .seed = 4};
  const std::string text = generated(loaded, options, 60);  // more than the context of 16 holds
  CHECK(text.size() == 60);
  CHECK(text == generated(loaded, options, 60));
  GenerateOptions slow = options, other = options;
  slow.cache = false, other.seed = 5;
  CHECK(text == generated(loaded, slow, 60));
  CHECK(text != generated(loaded, other, 60));
  CHECK(contains(error_of([&] { generated(loaded, {.prompt = "Ωmega"}, 1); }), "'Ω' is not a token"));
  CHECK(contains(error_of([&] { generated(loaded, {.prompt = ""}, 1); }), "there are no tokens in ''"));
  CHECK(contains(error_of([&] { generated(loaded, {.prompt = "a", .source = "b"}, 1); }), "takes no source"));
}

TEST_CASE("a prompt longer than the context is continued from its end", "[run]") {
  RunConfig config = text_config("");
  config.task = {.name = "text", .n_ctx = 16};
  const tasks::Task task = tasks::text_task(config.task, tasks::grammar_text(4000, 1), "it");
  Experiment experiment(task, config);
  experiment.run_until(12);
  const Run trained = experiment.measure();
  const std::string end = "the grey boat was";
  const std::string prompt = tasks::grammar_text(60, 3).substr(0, 40) + end;
  const auto first = [&](const std::string& text) {
    Generation generation(trained, {.prompt = text, .sampling = {.temperature = 0}});
    return generation.next();
  };
  std::set<std::int32_t> likely;  // whichever part of the end is read
  for (std::size_t seen = 8; seen <= 16; ++seen) likely.insert(first(end.substr(end.size() - seen)));
  CHECK(likely.contains(first(prompt)));
  CHECK(first(prompt) != first(prompt.substr(0, 16)));
}

TEST_CASE("a model that reads whole sequences or needs a source does not generate without", "[run]") {
  RunConfig c;
  c.task.name = "reverse", c.task.n_ctx = 16;
  c.model.architecture = nn::Architecture::encoder_decoder;
  c.model.n_layers = 1, c.model.n_heads = 2, c.model.d_model = 16;
  c.train.steps = 1, c.train.batch = 8, c.train.history = 0;
  const TemporaryFolder folder;
  const auto saved = [&](const RunConfig& config) {
    Experiment run(config);
    run.step();
    save(run, folder.path() / "run");
    return read_run(folder.path() / "run");
  };
  const Run both = saved(c);
  const std::string none = error_of([&] { generated(both, {.prompt = "|"}, 1); });
  CHECK(contains(none, "needs a source to read. Hint: --source TOKENS; --prompt begins with '|'."));
  const std::string nine = error_of([&] { Generation(both, {.prompt = "|", .source = "ABCDEFGHI"}); });
  CHECK(contains(nine, "a source of 9 tokens does not fit the encoder: expected at most 8."));
  CHECK_FALSE(generated(both, {.prompt = "|", .source = "ABC"}, 3).empty());
  c.task.name = "histogram", c.model.architecture = nn::Architecture::encoder;
  const Run encoder = saved(c);
  const std::string whole = error_of([&] { generated(encoder, {.prompt = "A"}, 1); });
  CHECK(contains(whole, "an encoder cannot generate"));
  CHECK(contains(whole, "Hint: train with --architecture decoder, on a task of next tokens"));
}

TEST_CASE("a model whose task has labels for targets does not generate", "[run]") {
  const TemporaryFolder folder;
  for (const char* task : {"parity", "histogram", "recall", "addition"}) {
    RunConfig c;
    c.task.name = task, c.task.n_ctx = 16;
    c.model.n_layers = 1, c.model.n_heads = 2, c.model.d_model = 16;
    c.train.steps = 1, c.train.batch = 8, c.train.history = 0;
    Experiment run(c);
    run.step();
    save(run, folder.path() / task);
    const Run saved = read_run(folder.path() / task);
    const std::string refused =
        error_of([&] { Generation(saved, {.prompt = saved.task.vocabulary.text(0)}); });
    CHECK(contains(refused, "a model of the task '" + c.task.name + "' cannot generate: it predicts labels"));
  }
}

TEST_CASE("a full context goes on with its latter half", "[run]") {
  RunConfig c = text_config("");
  c.task = {.name = "repeat", .d_vocab = 12, .n_ctx = 16};
  const Run run{c, make_task(c), make_model(c)};
  Rng rng(3);
  for (auto& [name, p] : nn::named_parameters(*run.model)) {  // so that the whole context matters
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.5 * rng.normal());
  }
  const std::string prompt = "ABCABDABCABEAFGHIJKL";  // 20 tokens, of which the last 16 are read
  std::vector<std::int32_t> context = run.task.vocabulary.tokens(prompt.substr(4));
  const nn::SampleOptions sampling{.temperature = 1.5};
  Generation generation(run, {.prompt = prompt, .sampling = sampling, .seed = 6});
  Rng drawing = Rng(6).stream("generation");
  std::set<std::int32_t> different;
  for (int i = 0; i < 40; ++i) {
    const NoGrad no_grad;
    const Array logits = (*run.model)(nn::one_sequence(context)).array();  // (1,n,12)
    const std::int32_t token = nn::sample(logits.data() + (context.size() - 1) * 12, 12, sampling, drawing);
    CHECK(generation.next() == token);
    different.insert(token);
    if (context.size() == 16) context.erase(context.begin(), context.begin() + 8);
    context.push_back(token);
  }
  CHECK(different.size() > 3);
}
