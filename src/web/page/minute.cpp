#include "minute.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/interpret/scores.h"
#include "headlight/run/run_files.h"
#include "minute_line.h"
#include "page/compress.h"
#include "page/page_cost.h"
#include "sections/run_terms.h"

namespace headlight::page {
namespace {

using interpret::Certificate;
using interpret::HeadAt;
using interpret::HeadScores;
using interpret::HeadSet;
using nlohmann::ordered_json;

constexpr std::size_t kLines = 150, kMeanOver = 64, kMostFrames = 16;
constexpr double kNotesToo = 0.2;  // the previous-token score of a head that notes beside the note-writers

constexpr std::size_t kPatternStates[] = {0, kNoteWritersOff, kControlOff, kNoteWritersOff | kControlOff,
                                          kWireCut};

bool in(const HeadSet& heads, const HeadAt& head) {
  return std::find(heads.begin(), heads.end(), head) != heads.end();
}

bool shows_notes(const std::optional<Certificate>& c) {
  return c && c->verdict == interpret::Verdict::circuit && !c->previous_token_heads.empty() &&
         std::find(c->through.begin(), c->through.end(), interpret::HeadInput::keys) != c->through.end();
}

std::vector<LampView> all_views(const nn::Transformer& model, const Lamps& lamps, const tasks::Batch& lines,
                                const interpret::ActivationCache& means) {
  const LampStates states(model, lamps, lines, means);
  std::vector<LampView> views;
  for (std::size_t state = 0; state < kLampStates; ++state) views.push_back(states.in(state));
  return views;
}

void add_byte(std::string& bytes, Real weight) {
  bytes += static_cast<char>(static_cast<unsigned char>(std::lround(255 * std::clamp<Real>(weight, 0, 1))));
}

void add_number(std::string& bytes, long number) {
  bytes += static_cast<char>(number & 0xff);
  bytes += static_cast<char>(number >> 8 & 0xff);
}

// The views of one line.
std::string frame_of(const std::vector<LampView>& views) {
  const std::size_t n = views[0].notes.shape()[1], vocab = views[0].logits.shape()[2];
  std::string bytes;
  for (std::size_t t = 0; t < n; ++t) add_byte(bytes, views[0].notes(0, t));
  for (const std::size_t state : kPatternStates)
    for (std::size_t query = 0; query < n; ++query)
      for (std::size_t key = 0; key <= query; ++key) add_byte(bytes, views[state].pattern(0, query, key));
  for (const LampView& view : views)
    for (std::size_t t = 0; t < n; ++t) {
      const std::int32_t best = best_token(view.logits, 0, t);
      const Real* row = &view.logits(0, t, 0);
      const kernels::SoftmaxSum sum = kernels::softmax_sum_row(row, vocab);
      const double p = math::exp(-static_cast<double>(kernels::minus_log_softmax(sum, row[best])));
      add_number(bytes, best);
      add_number(bytes, std::lround(65535 * p));
    }
  return bytes;
}

// How far the model has come on a line: its notes, its looks at followers and its right answers.
double progress_of(const std::vector<LampView>& views, const tasks::Batch& line) {
  const std::size_t n = line.tokens.shape()[1];
  double notes = 0, looks = 0, asked = 0;
  for (std::size_t t = 1; t < n; ++t) {
    notes += static_cast<double>(views[0].notes(0, t)) / static_cast<double>(n - 1);
    if (!line.predictable(0, t)) continue;
    ++asked;
    for (std::size_t key = 1; key < t; ++key)
      if (line.tokens(0, key - 1) == line.tokens(0, t))
        looks += static_cast<double>(views[0].pattern(0, t, key));
  }
  return notes + looks / std::max(1.0, asked) + right_share(line, views[0].logits, 0, 1, 0);
}

// At most kMostFrames of them, the first and the last among them, denser where more changes.
std::vector<std::size_t> telling(const std::vector<double>& progress) {
  std::vector<double> way{0};
  const double least = 0.1 / static_cast<double>(progress.size());
  for (std::size_t i = 1; i < progress.size(); ++i)
    way.push_back(way.back() + std::abs(progress[i] - progress[i - 1]) + least);
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < kMostFrames; ++k) {
    const double at = way.back() * static_cast<double>(k) / (kMostFrames - 1);
    const auto i = static_cast<std::size_t>(
        std::min_element(way.begin(), way.end(),
                         [&](double x, double y) { return std::abs(x - at) < std::abs(y - at); }) -
        way.begin());
    if (kept.empty() || kept.back() != i) kept.push_back(i);
  }
  return kept;
}

void add_frames(ordered_json& minute, nn::Transformer& model, const std::vector<train::Snapshot>& snapshots,
                const Lamps& lamps, const tasks::Batch& line, const tasks::Batch& others) {
  std::vector<std::string> frames;
  std::vector<double> progress;
  std::vector<std::int64_t> steps;
  const double cost = operations_of(model, line.tokens.shape()[1]) * (kMeanOver + kLampStates);
  const auto room = std::max<std::size_t>(2, static_cast<std::size_t>(kPageOperations / cost));
  const std::size_t stride = (snapshots.size() + room - 1) / room;
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    if (i % stride != 0 && i + 1 < snapshots.size()) continue;
    train::set_weights(model, snapshots[i].weights, run::files::kHistory);
    const auto views = all_views(model, lamps, line, interpret::mean_outputs(model, others));
    steps.push_back(snapshots[i].step);
    frames.push_back(frame_of(views));
    progress.push_back(progress_of(views, line));
  }
  std::string bytes;
  for (const std::size_t i : telling(progress)) {
    minute["steps"].push_back(steps[i]);
    bytes += frames[i];
  }
  minute["frames"] = compressed_json(bytes, frames[0].size());
}

// The line with the token at `place`, wherever it stands, replaced by the asked one.
tasks::Batch changed(tasks::Batch line, std::size_t place, std::size_t ask) {
  const std::int32_t from = line.tokens(0, place), to = line.tokens(0, ask);
  std::replace(line.tokens.begin(), line.tokens.end(), from, to);
  std::replace(line.targets.begin(), line.targets.end(), from, to);
  return line;
}

// How far back the same token stands at the least, in lines of tokens (N, T); T where none comes back.
std::size_t shortest_return(const tasks::Batch& lines) {
  std::size_t shortest = lines.tokens.shape()[1];
  for (std::size_t line = 0; line < lines.tokens.shape()[0]; ++line)
    for (std::size_t t = 1; t < lines.tokens.shape()[1]; ++t)
      for (std::size_t back = 1; back <= t && back < shortest; ++back)
        if (lines.tokens(line, t - back) == lines.tokens(line, t)) shortest = back;
  return shortest;
}

// Of the changes after which the model copies another follower than the right one, that with the clearest
// look at it.
ordered_json fool_json(const nn::Transformer& model, const Lamps& lamps, const tasks::Batch& line,
                       std::size_t ask, const interpret::ActivationCache& means) {
  const std::size_t n = line.tokens.shape()[1];
  ordered_json clearest = nullptr;
  Real most = 0;
  for (std::size_t place = 1; place < ask; ++place) {
    if (line.tokens(0, place) == line.tokens(0, ask) || line.tokens(0, place) == line.targets(0, ask))
      continue;
    const tasks::Batch other = changed(line, place, ask);
    const LampView whole = LampStates(model, lamps, other, means).in(0);
    for (std::size_t t = ask + 1; t + 2 < n; ++t) {
      const std::int32_t guess = best_token(whole.logits, 0, t);
      if (!line.predictable(0, t) || other.tokens(0, t) != line.tokens(0, ask) ||
          guess == other.targets(0, t))
        continue;
      Real weight = 0;
      for (std::size_t key = 1; key < t; ++key)
        if (other.tokens(0, key - 1) == other.tokens(0, t) && other.tokens(0, key) == guess)
          weight = std::max(weight, whole.pattern(0, t, key));
      if (weight <= most) continue;
      most = weight;
      const std::string bytes = frame_of(all_views(model, lamps, other, means));
      clearest = {{"tokens", std::vector<std::int32_t>(other.tokens.begin(), other.tokens.end())},
                  {"place", place},
                  {"ask", t},
                  {"frames", compressed_json(bytes, bytes.size())}};
    }
  }
  return clearest;
}

// `line` is the one that is drawn: the notes of these heads are measured on it, as the drawn ones are.
ordered_json others_json(const run::Run& run, const Lamps& lamps, const tasks::Batch& lines,
                         const tasks::Batch& line, const interpret::ActivationCache& means,
                         std::size_t before) {
  Lamps more = lamps;
  ordered_json heads = ordered_json::array(), weights = heads;
  for (const HeadScores& head : run.results.heads) {
    if (head.stack != interpret::Stack::self || in(lamps.note_writers, head.at()) ||
        in(lamps.finders, head.at()) || head.layer >= lamps.finders.front().layer ||
        !(head[interpret::kPreviousToken] >= kNotesToo))
      continue;
    more.note_writers.push_back(head.at());
    heads.push_back(head_number(head.at(), run.model->config()));
    const Array notes = LampStates(*run.model, {{head.at()}, lamps.finders, {}}, line, means).in(0).notes;
    weights.push_back(std::accumulate(notes.begin(), notes.end(), 0.0) /
                      static_cast<double>(notes.size() - 1));  // nothing is before the first token
  }
  if (heads.empty()) return nullptr;
  const Array logits = LampStates(*run.model, more, lines, means).in(kNoteWritersOff).logits;
  return {{"heads", std::move(heads)},
          {"weights", std::move(weights)},
          {"share", right_share(lines, logits, 0, lines.tokens.shape()[0], before)}};
}

}  // namespace

HeadSet control_of(const Certificate& c, const std::vector<HeadScores>& scores) {
  const HeadScores* least = nullptr;
  for (const HeadScores& head : scores) {
    const bool beside = head.layer == c.previous_token_heads.front().layer && !in(c.circuit(), head.at());
    if (beside && (least == nullptr || head[interpret::kPreviousToken] < (*least)[interpret::kPreviousToken]))
      least = &head;
  }
  return least == nullptr ? HeadSet{} : HeadSet{least->at()};
}

ordered_json minute_json(const run::Run& run, nn::Transformer& model,
                         const std::vector<train::Snapshot>& snapshots) {
  const std::optional<Certificate>& c = run.results.certificate;
  if (!shows_notes(c)) return nullptr;
  const NoGrad no_grad;
  const nn::TransformerConfig& config = model.config();
  const Lamps lamps{c->previous_token_heads, c->induction_heads, control_of(*c, run.results.heads)};
  const Rng rng(run.config.train.seed);
  const tasks::Batch lines = minute_lines(run.task, kLines, rng.stream("first minute")),
                     others = minute_lines(run.task, kMeanOver, rng.stream("first minute, means"));
  const interpret::ActivationCache means = interpret::mean_outputs(*run.model, others);
  const std::vector<LampView> views = all_views(*run.model, lamps, lines, means);
  const std::optional<ChosenLine> chosen = choose_line(run.task.vocabulary, lines, views);
  if (!chosen) return nullptr;
  std::vector<double> shares;
  for (const LampView& view : views)
    shares.push_back(right_share(lines, view.logits, 0, kLines, chosen->before));
  const tasks::Batch line = tasks::batch_rows(lines, chosen->line, 1);
  const bool* asked = line.predictable.data();
  const auto numbers = [&](const HeadSet& heads) {
    ordered_json list = ordered_json::array();
    for (const HeadAt& head : heads) list.push_back(head_number(head, config));
    return list;
  };
  ordered_json minute = {{"tokens", std::vector<std::int32_t>(line.tokens.begin(), line.tokens.end())},
                         {"predictable", std::vector<int>(asked, asked + line.predictable.size())},
                         {"ask", chosen->ask},
                         {"note_writers", numbers(lamps.note_writers)},
                         {"finders", numbers(lamps.finders)},
                         {"control", numbers(lamps.control)},
                         {"lines", kLines},
                         {"shortest", shortest_return(lines)},
                         {"shares", shares},
                         {"steps", ordered_json::array()}};
  if (ordered_json found = others_json(run, lamps, lines, line, means, chosen->before); !found.is_null())
    minute["others"] = std::move(found);
  if (ordered_json fool = fool_json(*run.model, lamps, line, chosen->ask, means); !fool.is_null())
    minute["fool"] = std::move(fool);
  add_frames(minute, model, snapshots, lamps, line, others);
  return minute;
}

}  // namespace headlight::page
