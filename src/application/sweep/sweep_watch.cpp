#include "sweep_watch.h"

#include <algorithm>

namespace headlight::sweep {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(100), kRefreshEvery = std::chrono::milliseconds(1000);

bool row_has_ended(const SweepRow& row) { return row.results || !row.failure.empty(); }

double planned_steps(const SweepRow& row) { return static_cast<double>(row.run.config.train.steps); }

}  // namespace

SweepWatch::SweepWatch(const std::vector<SweepRow>& rows, const SweepOptions& options,
                       std::function<void()> refresh)
    : look_(options.look), refresh_(std::move(refresh)) {
  progress_.total = rows.size();
  for (const SweepRow& row : rows)
    if (row_has_ended(row))
      ++progress_.done;
    else
      steps_ += planned_steps(row);
}

void SweepWatch::begin(const SweepRow& row) {
  const std::lock_guard lock(mutex_);
  begun_here_.insert(&row);
}

void SweepWatch::step() {
  {
    const std::lock_guard lock(mutex_);
    ++steps_done_;
  }
  look();
}

void SweepWatch::end(SweepRow& row, std::optional<run::Results> results, std::string failure) {
  const std::lock_guard lock(mutex_);
  if (row_has_ended(row)) return;
  row.results = std::move(results);
  row.failure = std::move(failure);
  ++progress_.done;
  progress_.failed += row.failure.empty() ? 0 : 1;
  if (!begun_here_.contains(&row)) steps_done_ += planned_steps(row);
  report();
}

bool SweepWatch::has_ended(const SweepRow& row) {
  const std::lock_guard lock(mutex_);
  return row_has_ended(row);
}

bool SweepWatch::all_ended() {
  const std::lock_guard lock(mutex_);
  return progress_.done == progress_.total;
}

void SweepWatch::see_workers(std::size_t count) {
  const std::lock_guard lock(mutex_);
  progress_.workers = count;
}

void SweepWatch::look() {
  if (!look_) return;
  const std::unique_lock one(refreshing_, std::try_to_lock);
  if (!one) return;
  if (Clock::now() - refreshed_ >= kRefreshEvery) {
    refresh_();
    refreshed_ = Clock::now();
  }
  const std::lock_guard lock(mutex_);
  if (Clock::now() - looked_ >= kLookEvery) report();
}

void SweepWatch::report() {
  looked_ = Clock::now();
  if (!look_) return;
  progress_.seconds = std::chrono::duration<double>(looked_ - began_).count();
  progress_.share = steps_ > 0 ? std::min(1.0, steps_done_ / steps_) : 1;
  if (steps_done_ > 0) progress_.seconds_left = progress_.seconds * (steps_ - steps_done_) / steps_done_;
  look_(progress_);
}

}  // namespace headlight::sweep
