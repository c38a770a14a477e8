// What the experimenter of part 3 may read, and a record of what was read when.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

using Losses = std::vector<std::vector<double>>;  // of each setting, of each seed

class Bench {
 public:
  Bench(Losses training, Losses validation, Losses held_out)
      : training_(std::move(training)), validation_(std::move(validation)), held_out_(std::move(held_out)) {}

  std::size_t settings() const { return training_.size(); }
  std::size_t seeds() const { return training_[0].size(); }

  double training_loss(std::size_t setting, std::size_t seed) const { return training_[setting][seed]; }
  double validation_loss(std::size_t setting, std::size_t seed) const { return validation_[setting][seed]; }

  // Puts the choice on record.
  void choose(std::size_t setting) { choices_.push_back(setting); }

  double held_out_loss(std::size_t setting, std::size_t seed) {
    ++(choices_.empty() ? reads_before_ : reads_after_);
    return held_out_[setting][seed];
  }

  // The record.
  const std::vector<std::size_t>& choices() const { return choices_; }
  std::size_t reads_before() const { return reads_before_; }  // of held-out losses, before the first choice
  std::size_t reads_after() const { return reads_after_; }

 private:
  Losses training_, validation_, held_out_;
  std::vector<std::size_t> choices_;
  std::size_t reads_before_ = 0, reads_after_ = 0;
};

// What is published of an experiment: the setting, and mean and standard error of its held-out losses.
struct Report {
  std::size_t setting;
  double mean, standard_error;
};

// What comes of a row: the mean of the measured numbers, the range that they leave, and the verdict.
enum class RowVerdict { no_test, agrees, differs, open };
struct Judged {
  double mean, from, to;
  RowVerdict verdict;
};
