// What training leaves, as hashes: of all weights after a few steps at each size of `bench`, and of the
// demo's weights, figures and scores. fingerprint.txt holds what every machine with fused multiply-add
// prints, whatever its vectors, its compiler and the number of threads; fingerprint_unfused.txt what those
// without it print.
//
//   headlight_fingerprint FOLDER [NAME...]    prints the hashes (of small, medium, large, long, longer, demo,
//   or
//                                             of those named); 1 when they are not those of the folder's file
#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "bench/step_timing.h"
#include "headlight/core/version.h"
#include "headlight/run/experiment.h"
#include "headlight/run/metrics.h"
#include "headlight/system/files.h"

using namespace headlight;

namespace {

// FNV-1a.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * 0x100000001b3;
  }
  void add(double x) { add(&x, sizeof x); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Prints each line as it comes, and keeps them.
class Lines {
 public:
  void add(const std::string& name, const Hash& hash) {
    const std::string line = fmt::format("{:<14} {:016x}\n", name, hash.value());
    fmt::print("{}", line);
    std::fflush(stdout);
    text_ += line;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Hash weights_of(const nn::Transformer& model) {
  Hash hash;
  for (const Tensor& p : nn::parameters(model)) hash.add(p.array().data(), p.size() * sizeof(Real));
  return hash;
}

void add_size(Lines& lines, const bench::BenchConfig& size) {
  run::Experiment run(bench::run_config(size), {.record = false});
  for (int i = 0; i < 3; ++i) run.step();
  lines.add(size.name, weights_of(run.model()));
}

void add_demo(Lines& lines) {
  run::Experiment run(run::RunConfig{});
  while (!run.done()) run.step();
  lines.add("demo weights", weights_of(run.model()));
  Hash figures, scores;
  for (const run::Metrics& m : run.metrics())
    for (const train::EvaluationNumber& number : train::kEvaluationNumbers)
      figures.add((m.evaluation.*number.value).value_or(-1));
  const run::Results results = run.measure().results;
  for (const double x : {results.loss_first, results.loss_last, results.evaluation.loss,
                         results.accuracy_held_out.value_or(-1)})
    figures.add(x);
  lines.add("demo figures", figures);
  for (const interpret::HeadScores& head : results.heads)
    for (const std::optional<double>& score : head.values)
      if (score) scores.add(*score);
  lines.add("demo scores", scores);
}

// The lines of a text that begin with one of these names; all, if none is named.
std::string lines_of(const std::string& text, const std::vector<std::string>& names) {
  std::istringstream in(text);
  std::string kept;
  for (std::string line; std::getline(in, line);)
    if (names.empty() || std::find(names.begin(), names.end(), line.substr(0, line.find(' '))) != names.end())
      kept += line + "\n";
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::vector<std::string> names(argv + 2, argv + argc);
  const std::string file = fuses_multiply_add() ? "/fingerprint.txt" : "/fingerprint_unfused.txt";
  const std::string expected = lines_of(read_file(argv[1] + file), names);
  const auto wanted = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  Lines lines;
  for (const bench::BenchConfig& size : bench::bench_configs())
    if (wanted(size.name)) add_size(lines, size);
  if (wanted("demo")) add_demo(lines);
  if (lines.text() == expected) return 0;
  fmt::print("expected:\n{}", expected);
  return 1;
}
