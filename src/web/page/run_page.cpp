#include "headlight/page/run_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/lab/lab.h"
#include "headlight/page/page.h"
#include "headlight/run/examples.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/curves.h"
#include "headlight/studies/patterns.h"
#include "run_certificate.h"
#include "run_circuits.h"
#include "run_formation.h"
#include "run_without.h"
#include "story.h"

namespace headlight::page {
namespace {

constexpr std::size_t kExamples = 6;
constexpr std::size_t kGuesses = 5;
constexpr std::size_t kMostDrawn = 128;  // tokens of a pattern that is drawn without JavaScript

// The bytes that the patterns of the examples, and those along training, may take; base64 adds a third.
constexpr std::size_t kExampleBytes = 9'000'000;
constexpr std::size_t kHistoryBytes = 3'000'000;

using interpret::HeadScores;

// The stacks of a model's attention layers, as the page keeps them.
std::vector<interpret::Stack> stacks_of(const nn::TransformerConfig& config) {
  std::vector<interpret::Stack> stacks;
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(config))
    if (layer.layer == 0) stacks.push_back(layer.stack);
  return stacks;
}

void add_patterns(PackedPatterns& packed, const interpret::CachedRun& run, interpret::Stack stack,
                  const nn::TransformerConfig& config) {
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(config))
    if (layer.stack == stack) packed.add(run.cache[layer.pattern]);
}

PackedPatterns patterns_for(int bits, std::size_t cell, interpret::Stack stack,
                            const nn::TransformerConfig& config) {
  const bool causal = interpret::layer_of(config, {0, 0, stack}).causal;
  return PackedPatterns(bits, cell, causal ? Sight::causal : Sight::full,
                        stack == interpret::Stack::cross ? 0 : config.window);
}

// The most likely next tokens at every position of logits (1,n,d_vocab), the most likely first.
std::vector<std::vector<Guess>> guesses_of(const Array& logits) {
  const std::size_t n = logits.shape()[1], vocab = logits.shape()[2];
  std::vector<std::vector<Guess>> all;
  std::vector<std::int32_t> order(vocab);
  for (std::size_t t = 0; t < n; ++t) {
    const Real* row = logits.data() + t * vocab;
    const kernels::SoftmaxSum sum = kernels::softmax_sum_row(row, vocab);
    check(std::isfinite(kernels::minus_log_softmax(sum, sum.max)),
          "the model's predictions are not finite: its parameters are too large or damaged.");
    std::iota(order.begin(), order.end(), 0);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kGuesses, vocab));
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [&](auto a, auto b) { return row[a] > row[b]; });
    auto& guesses = all.emplace_back();
    for (std::ptrdiff_t k = 0; k < shown; ++k)
      guesses.push_back(
          {order[k], math::exp(-static_cast<double>(kernels::minus_log_softmax(sum, row[order[k]])))});
  }
  return all;
}

PageSequence page_sequence(const nn::Transformer& model, const run::Example& example, std::size_t cell) {
  const nn::TransformerConfig& config = model.config();
  const interpret::CachedRun run = studies::patterns_of(model, example);
  const auto packed = [&](interpret::Stack stack) {
    PackedPatterns patterns = patterns_for(16, cell, stack, config);
    add_patterns(patterns, run, stack, config);
    return patterns;
  };
  PageSequence s{example.label,       example.tokens,         example.targets,
                 example.predictable, guesses_of(run.logits), packed(interpret::Stack::self)};
  s.repeats = example.repeats;
  for (const interpret::Stack stack : stacks_of(config)) {
    if (stack == interpret::Stack::self) continue;
    const auto &queries = studies::queries_of(stack, example), &keys = studies::keys_of(stack, example);
    s.views.push_back({queries, &queries == &keys ? std::vector<std::int32_t>() : keys, packed(stack)});
  }
  return s;
}

// The smallest cell at which the given number of patterns (n,n) fit into the given bytes.
std::size_t fitting_cell(std::size_t n, std::size_t patterns, int bits, std::size_t bytes) {
  std::size_t cell = 1;
  while (cell < n && patterns * PackedPatterns(bits, cell).bytes_of_pattern(n, n) > bytes) ++cell;
  return cell;
}

PageHistory page_history(nn::Transformer& model, std::vector<train::Snapshot> snapshots,
                         const run::Example& example) {
  const auto& c = model.config();
  const std::vector<interpret::Stack> stacks = stacks_of(c);
  const std::size_t n = std::max(example.tokens.size(), example.source.size());
  const std::size_t cell =
      fitting_cell(n, snapshots.size() * stacks.size() * c.n_layers * c.n_heads, 8, kHistoryBytes);
  PageHistory history{{}, patterns_for(8, cell, stacks[0], c)};
  for (std::size_t i = 1; i < stacks.size(); ++i)
    history.views.push_back(patterns_for(8, cell, stacks[i], c));
  const std::string file = run::files::kHistory;
  for (train::Snapshot& snapshot : snapshots) {
    train::set_weights(model, std::move(snapshot.weights), file);
    history.steps.push_back(snapshot.step);
    const interpret::CachedRun run = studies::patterns_of(model, example);
    studies::check_patterns(run, file, snapshot.step);
    for (std::size_t i = 0; i < stacks.size(); ++i)
      add_patterns(i == 0 ? history.patterns : history.views[i - 1], run, stacks[i], c);
  }
  return history;
}

// A baseline is a curve that has the same value at every step.
std::string line_key(std::size_t line) { return fmt::format("line_{}", line); }

// A name of the user's own cannot be taken for another key.
std::string own_key(const std::string& name) { return "own " + name; }

std::vector<PageMetrics> page_metrics(const std::vector<run::Metrics>& metrics,
                                      const std::vector<studies::LossLine>& lines) {
  std::vector<PageMetrics> all;
  for (const run::Metrics& m : metrics) {
    PageMetrics& at = all.emplace_back(PageMetrics{m.step, {}, m.heads});
    for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
      if (const auto& value = m.evaluation.*number.value) at.values.emplace_back(number.key, *value);
    for (std::size_t i = 0; i < lines.size(); ++i) at.values.emplace_back(line_key(i), lines[i].value);
    for (const auto& [name, value] : m.own) at.values.emplace_back(own_key(name), value);
    if (!m.held_out) continue;
    at.values.emplace_back("loss", m.evaluation.loss);
    at.values.emplace_back("loss_held_out", m.held_out->loss);
    if (const auto& accuracy = m.held_out->accuracy_predictable)
      at.values.emplace_back("accuracy_held_out", *accuracy);
  }
  return all;
}

std::vector<PageChart> page_charts(const run::Run& run, const std::vector<run::Metrics>& metrics,
                                   const std::vector<studies::LossLine>& lines) {
  std::vector<PageChart> charts = standard_charts(run.task.kinds.predictable, run.task.kinds.others);
  for (std::size_t i = 0; i < lines.size(); ++i)
    charts.front().curves.push_back({line_key(i), lines[i].name, lines[i].brief,
                                     lines[i].predictable ? "loss_predictable" : "loss_unpredictable"});
  if (std::any_of(metrics.begin(), metrics.end(), [](const auto& m) { return m.held_out.has_value(); })) {
    charts.back().curves.front() = {"accuracy_predictable", "sequences as in training", "training"};
    charts.back().curves.push_back({"accuracy_held_out", "held-out sequences", "held out"});
    charts.push_back({"Loss on all tokens, in nats",
                      false,
                      {{"loss", "sequences as in training", "training"},
                       {"loss_held_out", "held-out sequences", "held out"}}});
  }
  for (const std::string& name : own_names(metrics))
    charts.push_back({name, false, {{own_key(name), name, name}}});
  return charts;
}

// The help of a bool is that of its flag, which turns the default over.
std::string explained(const Setting<run::RunConfig>& row) {
  const SettingValue by_default = row.get(run::RunConfig{});
  const bool* on = std::get_if<bool>(&by_default);
  if (on == nullptr) return row.help;
  return fmt::format("{} makes it {}: \"{}\"", row.flag, *on ? "false" : "true", row.help);
}

std::vector<PageFact> setting_facts(const run::Run& run) {
  run::RunConfig config = run.config;
  config.task = run.task.config;  // what was 0 is filled in
  if (config.model.d_head == 0) config.model.d_head = config.model.d_model / config.model.n_heads;
  std::vector<PageFact> facts;
  for (const run::ConfigPart& part : run::settings())
    for (const Setting<run::RunConfig>& row : part.rows)
      facts.push_back({part.name + "." + row.key, to_string(row.get(config)), explained(row)});
  return facts;
}

// The sequences of the page, which it returns: the user's own, if any, and examples as far as there is room.
std::vector<run::Example> add_sequences(Page& page, const run::Run& run,
                                        const std::vector<run::Example>& own) {
  const std::size_t heads = page.stacks.size() * page.n_layers * page.n_heads;
  const std::size_t n = std::max(run.task.config.n_ctx, run.task.n_source);
  const std::size_t cell = fitting_cell(n, 2 * heads, 16, kExampleBytes);
  const std::size_t room = kExampleBytes / (heads * PackedPatterns(16, cell).bytes_of_pattern(n, n));
  std::vector<run::Example> shown = own;
  for (run::Example& example :
       run::examples(run.task, run.config.train.seed, std::clamp<std::size_t>(room, 1, kExamples)))
    shown.push_back(std::move(example));
  for (const run::Example& example : shown)
    page.sequences.push_back(page_sequence(*run.model, example, cell));
  add_circuits(page, *run.model, shown);
  return shown;
}

std::string first_pattern(const run::Run& run, const run::Example& example) {
  const interpret::HeadAt head = studies::head_to_show_first(run.results.heads);
  return draw::svg_heatmap(studies::pattern_map(*run.model, run.task, example, head,
                                                studies::pattern_title(run.results.heads, head)));
}

PageStory story_on_first(const Page& page, const run::Run& run, const run::Results& results,
                         const run::Example& first) {
  const interpret::CachedRun cached = studies::patterns_of(*run.model, first);
  std::vector<const Array*> patterns;
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(run.model->config()))
    if (layer.stack == interpret::Stack::self) patterns.push_back(&cached.cache[layer.pattern]);
  return story_of(run.task, results, page.sequences.front(), patterns);
}

// Whether the engine in a page takes such a model.
bool is_taken(const run::RunConfig& config) {
  try {
    const lab::Lab taken(config);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Page page_of(const run::Run& run, const PageOptions& options) {
  const std::vector<run::Metrics> metrics = all_metrics(run);
  const run::Results& results = run.results;
  const std::vector<train::Snapshot> snapshots = all_snapshots(run);
  // The model whose weights are those of one snapshot after the other.
  const std::unique_ptr<nn::Transformer> model = make_model(run.config, run.task);
  const nn::TransformerConfig& c = run.model->config();
  Page page;
  page.title = options.title;
  page.n_layers = c.n_layers;
  page.n_heads = c.n_heads;
  page.stacks = stacks_of(c);
  page.scores = results.heads;
  page.verdict = brief_verdict(results);
  page.task = run.task.config.name;
  page.words = run.task.words;
  for (std::size_t i = 0; i < c.d_vocab; ++i)
    page.vocabulary.push_back(run.task.vocabulary.text(static_cast<std::int32_t>(i)));
  const std::vector<studies::LossLine> lines = studies::loss_lines(results.baselines, run.task.kinds);
  page.labels = run.task.sees_ahead;
  page.charts = page_charts(run, metrics, lines);
  if (!results.heads.empty()) page.scored_on = tasks::scored_kind(run.task);
  page.metrics = page_metrics(metrics, lines);
  for (const auto& [name, value] : facts(results, run.task.kinds)) page.results.push_back({name, value});
  page.settings = setting_facts(run);
  std::vector<run::Example> own;
  if (!options.tokens.empty()) own.push_back(run::own_example(run.task, options.tokens, options.source));
  ThreadPool pool(options.threads);
  const run::Example first = own.empty() ? run::first_example(run.task, run.config.train.seed) : own.front();
  if (options.engine && is_taken(run.config))
    page.lab = PageLab{to_json(run.config), run::files_of(run).at(run::files::kModel), *options.engine};
  const std::vector<run::Example> shown = add_sequences(page, run, own);
  page.without = page.lab ? without_by_engine(run) : page_without(run, shown, pool);
  if (results.certificate) {
    page.certificate = page_certificate(*results.certificate, c);
    add_formation(*page.certificate, *results.certificate, run, *model, snapshots, pool);
  }
  page.periods = page_periods(run, pool);
  page.story = story_on_first(page, run, results, first);
  page.history = page_history(*model, snapshots, first);
  if (first.tokens.size() <= kMostDrawn && !results.heads.empty()) page.picture = first_pattern(run, first);
  return page;
}

}  // namespace

std::string report_page(const run::Run& run, const PageOptions& options) {
  const std::size_t n = run.model->config().n_positions();
  check(n <= interpret::kLongestPattern,
        "a page draws the patterns of contexts of up to {} tokens, and this run's context has {}.",
        interpret::kLongestPattern, n);
  return report_page(page_of(run, options));
}

Files pages_of(const run::Run& run, const std::string& title, int threads,
               std::optional<EngineModules> engine) {
  Files pages;
  const std::vector<HeadScores>& heads = run.results.heads;
  if (!heads.empty())
    pages[run::files::kPattern] = first_pattern(run, run::first_example(run.task, run.config.train.seed));
  if (!run.snapshots.empty() && run.model->config().n_positions() <= interpret::kLongestPattern)
    pages[run::files::kPage] =
        report_page(run, {.title = title, .threads = threads, .engine = std::move(engine)});
  return pages;
}

}  // namespace headlight::page
