#include "headlight/page/run_page.h"

#include "headlight/core/check.h"
#include "headlight/lab/lab.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/patterns.h"
#include "page.h"
#include "run_data.h"

namespace headlight::page {
namespace {

constexpr std::size_t kMostDrawn = 128;  // tokens of a pattern that is drawn without JavaScript

std::string first_pattern(const run::Run& run, const run::Example& example) {
  const interpret::HeadAt head = studies::head_to_show_first(run.results.heads);
  return draw::svg_heatmap(studies::pattern_map(*run.model, run.task, example, head,
                                                studies::pattern_title(run.results.heads, head)));
}

Page page_of(const run::Run& run, const PageOptions& options) {
  ThreadPool pool(options.threads);
  std::vector<run::Example> own;
  if (!options.tokens.empty()) own.push_back(run::own_example(run.task, options.tokens, options.source));
  const bool live = !options.engine.empty() && lab::refusal(run.config, run.task, *run.model).empty();
  Page page{run_data(run, options.title, own, live, pool)};
  if (live) page.engine = options.engine;
  page.footer = options.footer;
  const run::Example first = own.empty() ? run::first_example(run.task, run.config.train.seed) : own.front();
  if (first.tokens.size() <= kMostDrawn && !run.results.heads.empty())
    page.picture = first_pattern(run, first);
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

Files pages_of(const run::Run& run, const std::string& title, int threads, const std::string& engine) {
  Files pages;
  if (!run.results.heads.empty())
    pages[run::files::kPattern] = first_pattern(run, run::first_example(run.task, run.config.train.seed));
  if (!run.snapshots.empty() && run.model->config().n_positions() <= interpret::kLongestPattern)
    pages[run::files::kPage] = report_page(run, {.title = title, .threads = threads, .engine = engine});
  return pages;
}

}  // namespace headlight::page
