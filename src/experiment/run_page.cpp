#include "headlight/experiment/run_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/experiment/examples.h"
#include "headlight/experiment/patterns.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/report/page.h"
#include "story.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

constexpr std::size_t kExamples = 6;
constexpr std::size_t kGuesses = 5;

// The bytes that the patterns of the examples, and those along training, may take; base64 adds a third.
constexpr std::size_t kExampleBytes = 9'000'000;
constexpr std::size_t kHistoryBytes = 3'000'000;

using interpret::HeadScores;

void add_patterns(report::PackedPatterns& packed, const interpret::CachedRun& run, std::size_t n_layers) {
  for (std::size_t layer = 0; layer < n_layers; ++layer)
    packed.add(run.cache[interpret::pattern_name(layer)]);
}

// The most likely next tokens at every position of logits (1,n,d_vocab), the most likely first.
std::vector<std::vector<report::Guess>> guesses_of(const Array& logits) {
  const std::size_t n = logits.shape()[1], vocab = logits.shape()[2];
  std::vector<std::vector<report::Guess>> all;
  std::vector<std::int32_t> order(vocab);
  for (std::size_t t = 0; t < n; ++t) {
    const Real* row = logits.data() + t * vocab;
    const Real total = kernels::log_sum_exp_row(row, vocab);
    check(std::isfinite(total),
          "the model's predictions are not finite: its weights are too large or damaged.");
    std::iota(order.begin(), order.end(), 0);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kGuesses, vocab));
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [&](auto a, auto b) { return row[a] > row[b]; });
    auto& guesses = all.emplace_back();
    for (std::ptrdiff_t k = 0; k < shown; ++k)
      guesses.push_back({order[k], math::exp(static_cast<double>(row[order[k]] - total))});
  }
  return all;
}

report::PageSequence page_sequence(const nn::Transformer& model, const Example& example, std::size_t cell) {
  const interpret::CachedRun run = patterns_of(model, example.tokens);
  report::PageSequence s{example.label,       example.tokens,         example.targets,
                         example.predictable, guesses_of(run.logits), report::PackedPatterns(16, cell)};
  s.repeats = example.repeats;
  add_patterns(s.patterns, run, model.config().n_layers);
  return s;
}

// The smallest cell at which the given number of patterns (n,n) fit into the given bytes.
std::size_t fitting_cell(std::size_t n, std::size_t patterns, int bits, std::size_t bytes) {
  std::size_t cell = 1;
  while (cell < n && patterns * report::PackedPatterns(bits, cell).bytes_of_pattern(n, n) > bytes) ++cell;
  return cell;
}

report::PageHistory page_history(nn::Transformer& model, const std::filesystem::path& folder,
                                 const std::vector<std::int32_t>& tokens) {
  std::vector<train::Moment> moments = load_history(folder);
  const auto& c = model.config();
  const std::size_t cell =
      fitting_cell(tokens.size(), moments.size() * c.n_layers * c.n_heads, 8, kHistoryBytes);
  report::PageHistory history{{}, report::PackedPatterns(8, cell)};
  for (train::Moment& moment : moments) {
    train::set_weights(model, std::move(moment.weights), (folder / files::kHistory).string());
    history.steps.push_back(moment.step);
    add_patterns(history.patterns, patterns_of(model, tokens), c.n_layers);
  }
  return history;
}

std::vector<report::PageMetrics> page_metrics(const std::vector<Metrics>& metrics) {
  std::vector<report::PageMetrics> all;
  for (const Metrics& m : metrics) {
    report::PageMetrics& at = all.emplace_back(report::PageMetrics{m.step, {}, m.heads});
    for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
      if (const auto& value = m.evaluation.*number.value) at.values.emplace_back(number.key, *value);
  }
  return all;
}

// Layer by layer, and head by head in each.
bool in_order(const std::vector<HeadScores>& scores, std::size_t n_heads) {
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i].layer != i / n_heads || scores[i].head != i % n_heads) return false;
  return true;
}

// The help of a bool is that of its flag, which turns the default over.
std::string explained(const Setting<RunConfig>& row) {
  const SettingValue by_default = row.get(RunConfig{});
  const bool* on = std::get_if<bool>(&by_default);
  if (on == nullptr) return row.help;
  return fmt::format("{} makes it {}: \"{}\"", row.flag, *on ? "false" : "true", row.help);
}

std::vector<report::PageFact> setting_facts(const SavedRun& run) {
  RunConfig config = run.config;
  config.task = run.task.config;  // what was 0 is filled in
  if (config.model.d_head == 0) config.model.d_head = config.model.d_model / config.model.n_heads;
  std::vector<report::PageFact> facts;
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows)
      facts.push_back({part.name + "." + row.key, to_string(row.get(config)), explained(row)});
  return facts;
}

void add_sequences(report::Page& page, const SavedRun& run, const std::string& tokens) {
  const std::size_t heads = page.n_layers * page.n_heads, n = run.task.config.n_ctx;
  const std::size_t cell = fitting_cell(n, 2 * heads, 16, kExampleBytes);
  const std::size_t room = kExampleBytes / (heads * report::PackedPatterns(16, cell).bytes_of_pattern(n, n));
  std::vector<Example> shown =
      examples(run.task, run.config.train.seed, std::clamp<std::size_t>(room, 1, kExamples));
  if (!tokens.empty()) shown.insert(shown.begin(), own_example(tasks::read_tokens(run.task, tokens)));
  for (const Example& example : shown) page.sequences.push_back(page_sequence(*run.model, example, cell));
}

report::PageStory story_on_first(const report::Page& page, const SavedRun& run, const Results& results) {
  const report::PageSequence& first = page.sequences.front();
  const interpret::CachedRun cached = patterns_of(*run.model, first.tokens);
  std::vector<const Array*> patterns;
  for (std::size_t layer = 0; layer < page.n_layers; ++layer)
    patterns.push_back(&cached.cache[interpret::pattern_name(layer)]);
  return story_of(run.task, results, first, patterns);
}

report::Page page_of(const std::filesystem::path& folder, const PageOptions& options) {
  const SavedRun run = load_run(folder);
  const std::vector<Metrics> metrics = load_metrics(folder);
  const Results results = load_results(folder);
  const nn::TransformerConfig& c = run.model->config();
  report::Page page;
  page.title = options.title.empty() ? std::filesystem::canonical(folder).filename().string() : options.title;
  page.n_layers = c.n_layers;
  page.n_heads = c.n_heads;
  page.scores = results.heads;
  check(page.scores.empty() ||
            (page.scores.size() == c.n_layers * c.n_heads && in_order(page.scores, c.n_heads)),
        "'{}' is of another model than config.json.", (folder / files::kSummary).string());
  page.verdict = results.verdict;
  page.task = run.task.config.name;
  page.words = run.task.words;
  for (std::size_t i = 0; i < c.d_vocab; ++i)
    page.vocabulary.push_back(run.task.vocabulary.text(static_cast<std::int32_t>(i)));
  page.metrics = page_metrics(metrics);
  for (const auto& [name, value] : facts(results)) page.results.push_back({name, value});
  page.settings = setting_facts(run);
  add_sequences(page, run, options.tokens);
  page.story = story_on_first(page, run, results);
  page.history = page_history(*run.model, folder, page.sequences.front().tokens);
  for (std::int64_t step : page.history.steps)
    check(std::any_of(metrics.begin(), metrics.end(), [&](const Metrics& m) { return m.step == step; }),
          "'{}' has no metrics of step {}, whose weights were kept: the files are of different runs.",
          (folder / files::kMetrics).string(), step);
  return page;
}

}  // namespace

std::filesystem::path write_page(const std::filesystem::path& folder, const PageOptions& options) {
  const std::filesystem::path target = options.file.empty() ? folder / files::kPage : options.file;
  write_file(target, report::report_page(page_of(folder, options)));
  return target;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
