#include "verdict/verdict_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace headlight::grader {
namespace {

constexpr std::string_view kVerdict = "verdict ", kProgress = "progress ";
constexpr std::size_t kMostKept = 4000;

std::string mark_of(std::string_view word) { return fmt::format("\n\x1e{} ", word); }

}  // namespace

std::string verdict_line(const Verdict& verdict, std::string_view word) {
  return fmt::format("{}{}{}\n", mark_of(word), kVerdict, to_json(verdict));
}

std::string progress_line(std::size_t done, std::size_t all, std::string_view word) {
  return fmt::format("{}{}{} {}\n", mark_of(word), kProgress, done, all);
}

Follower::Follower(std::string_view word, OnProgress progress)
    : mark_(mark_of(word)), progress_(std::move(progress)) {}

void Follower::read(std::string_view piece) {
  rest_ += piece;
  for (std::size_t at; (at = rest_.find(mark_)) != std::string::npos;) {
    const std::size_t begin = at + mark_.size(), end = rest_.find('\n', begin);
    if (end == std::string::npos) return;
    take_printed(std::string_view(rest_).substr(0, at));
    take_line(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, end + 1);
  }
  const std::size_t maybe_mark = std::min(rest_.size(), mark_.size() - 1), sure = rest_.size() - maybe_mark;
  take_printed(std::string_view(rest_).substr(0, sure));
  rest_.erase(0, sure);
}

std::string Follower::printed() const {
  return in_call() ? printed_ + rest_.substr(0, rest_.find(mark_)) : printed_;
}

void Follower::take_printed(std::string_view text) {
  if (in_call()) printed_ += text.substr(0, kMostKept - printed_.size());
}

void Follower::take_line(std::string_view line) {
  if (line.starts_with(kVerdict)) {
    last_ = verdict_from_json(line.substr(kVerdict.size()));
    if (last_->kind == Kind::running) printed_.clear();
    last_->printed = printed_;
    of_parts_[last_->part] = *last_;
  }
  std::size_t done = 0, all = 0;
  if (progress_ && line.starts_with(kProgress) &&
      std::sscanf(std::string(line.substr(kProgress.size())).c_str(), "%zu %zu", &done, &all) == 2)
    progress_(done, all);
}

}  // namespace headlight::grader
