#include "headlight/train/history.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "headlight/core/check.h"
#include "headlight/system/file_error.h"
#include "headlight/train/safetensors.h"

namespace headlight::train {
namespace {

constexpr std::string_view kPrefix = "step_";

// "step_250/blocks.0.attn.W_Q" is an array of step 250. Throws Error for a name of another form.
std::pair<std::int64_t, std::string> parsed(const std::string& name, const std::string& file) {
  const std::size_t slash = name.find('/');
  std::int64_t step = -1;
  if (name.starts_with(kPrefix) && slash != std::string::npos) {
    const char* end = name.data() + slash;
    const auto [stopped, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
    if (error != std::errc() || stopped != end) step = -1;
  }
  check_file(step >= 0, "'{}' has an array '{}'; expected names such as 'step_250/embed.W_E'.", file, name);
  return {step, name.substr(slash + 1)};
}

double bytes_of(const Weights& weights) {
  double bytes = 0;
  for (const auto& [name, array] : weights) bytes += static_cast<double>(array.size() * sizeof(Real));
  return bytes;
}

}  // namespace

History::History(std::size_t capacity, std::size_t max_bytes) : capacity_(capacity), max_bytes_(max_bytes) {
  check(capacity != 1,
        "a history keeps at least the first and the last snapshot: expected 0 or at least 2, got 1.");
}

std::size_t History::most_kept(std::size_t capacity, double bytes_of_each, std::size_t max_bytes) {
  if (capacity == 0) return 0;
  const double room = static_cast<double>(max_bytes) / std::max(1.0, bytes_of_each);
  return static_cast<std::size_t>(std::max(2.0, std::min(static_cast<double>(capacity), room)));
}

// The largest change of progress, plus the part of training that lies between.
double History::distance(const Kept& a, const Kept& b) const {
  double change = 0;
  for (std::size_t i = 0; i < a.progress.size(); ++i)
    change = std::max(change, std::abs(a.progress[i] - b.progress[i]));
  const auto all = static_cast<double>(kept_.back().snapshot.step - kept_.front().snapshot.step);
  return change + static_cast<double>(b.snapshot.step - a.snapshot.step) / all;
}

void History::offer(std::int64_t step, const nn::Transformer& model, std::vector<double> progress) {
  if (capacity_ == 0) return;
  check(
      kept_.empty() || (step > kept_.back().snapshot.step && progress.size() == kept_.back().progress.size()),
      "[history] step {} was offered out of order, or with other measures of progress.", step);
  kept_.push_back({{step, weights_of(model)}, std::move(progress)});
  if (kept_.size() <= most_kept(capacity_, bytes_of(kept_.back().snapshot.weights), max_bytes_)) return;
  std::size_t least = 1;
  for (std::size_t i = 2; i + 1 < kept_.size(); ++i)
    if (distance(kept_[i - 1], kept_[i + 1]) < distance(kept_[least - 1], kept_[least + 1])) least = i;
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(least));
}

std::vector<Snapshot> History::snapshots() const {
  std::vector<Snapshot> snapshots;
  for (const Kept& kept : kept_) snapshots.push_back(kept.snapshot);
  return snapshots;
}

std::vector<std::int64_t> History::steps() const {
  std::vector<std::int64_t> steps;
  for (const Kept& kept : kept_) steps.push_back(kept.snapshot.step);
  return steps;
}

void History::restore(std::vector<Snapshot> snapshots, std::vector<std::vector<double>> progress) {
  check(snapshots.size() == progress.size(), "[history] {} snapshots with {} measures of progress.",
        snapshots.size(), progress.size());
  for (const std::vector<double>& of_one : progress)
    check(of_one.size() == progress.front().size(),
          "[history] snapshots with {} and {} measures of progress cannot be compared.",
          progress.front().size(), of_one.size());
  kept_.clear();
  for (std::size_t i = 0; i < snapshots.size(); ++i)
    kept_.push_back({std::move(snapshots[i]), std::move(progress[i])});
}

std::vector<Snapshot> snapshots_from(SafetensorsFile content, const std::string& file) {
  std::map<std::int64_t, Weights> by_step;
  for (auto& [name, array] : content.arrays) {
    auto [step, parameter] = parsed(name, file);
    check_file(by_step[step].insert_or_assign(std::move(parameter), std::move(array)).second,
               "'{}' has two arrays of step {} for one parameter, one of them '{}'.", file, step, name);
  }
  check(!by_step.empty(), "'{}' holds no snapshots.", file);
  std::vector<Snapshot> snapshots;
  for (auto& [step, weights] : by_step) snapshots.push_back({step, std::move(weights)});
  return snapshots;
}

std::string to_safetensors(const std::vector<Snapshot>& snapshots) {
  NamedArrays arrays;
  for (const Snapshot& snapshot : snapshots)
    for (const auto& [name, array] : snapshot.weights)
      arrays.emplace_back(fmt::format("{}{}/{}", kPrefix, snapshot.step, name), &array);
  return to_safetensors(arrays, {{"format", "headlight history"}});
}

}  // namespace headlight::train
