// Wrong ways to measure how sharp the heads must be.
#pragma once

#include "circuit.h"
#include "grader/trials.h"

namespace mistakes {

// What is measured for T.
inline double sharpness_with(const grader::Made& made, std::size_t T) {
  constexpr int kMost = 2000;  // some mistakes never come to the weight that is asked for
  const double step = made("steps-of-1")      ? 1
                      : made("steps-of-0.01") ? 0.01
                      : made("steps-of-0.5")  ? 0.5
                                              : 0.1,
               least = made("a-half") ? 0.5
                       : made("0.99") ? 0.99
                       : made("0.95") ? 0.95
                       : made("0.1")  ? 0.1
                                      : 0.9;
  const std::size_t length = made("half-the-length")    ? T / 2
                             : made("twice-the-length") ? 2 * T
                             : made("length-less-1")    ? T - 1
                             : made("length-and-1")     ? T + 1
                                                        : T;
  int tenths = 1;
  const auto weight = [&] { return follower_weight(length, step * tenths); };
  while (weight() <= least && tenths < kMost) ++tenths;
  if (made("weight-for-S")) return weight();
  if (made("one-step-on")) return step * (tenths + 1);
  if (made("last-that-is-too-small")) --tenths;
  return made("steps-for-S") ? tenths : step * tenths;
}

inline std::vector<double> sharpnesses_with(const grader::Made& made, const std::vector<double>& lengths) {
  std::vector<double> all;
  for (const double T : lengths) {
    all.push_back(sharpness_with(made, static_cast<std::size_t>(T)));
  }
  return all;
}

inline std::vector<grader::WrongMeasure> of_sharpness_needed() {
  const char *least = "Your weight is not 0.9. The smallest S is asked for whose weight is above 0.9.",
             *beside = "You pass one more than T, or one less. follower_weight takes T itself.";
  return grader::wrong_measures(
      sharpnesses_with,
      {{"last-that-is-too-small",
        "You return the last S whose weight is not above 0.9. The next one, 0.1 larger, is the smallest with such "
        "a weight."},
       {"one-step-on",
        "You return the S after the first whose weight is above 0.9: the loop goes on once too often."},
       {"steps-of-1", "Your S goes up in steps of 1. It goes up in steps of 0.1."},
       {"steps-of-0.5", "Your S goes up in steps of 0.5. It goes up in steps of 0.1."},
       {"steps-of-0.01", "Your S goes up in steps of 0.01. It goes up in steps of 0.1."},
       {"half-the-length", "You pass half of the length. follower_weight takes T itself, and halves it."},
       {"twice-the-length", "You pass twice the length. follower_weight takes T itself."},
       {"length-less-1", beside},
       {"length-and-1", beside},
       {"a-half", least},
       {"0.99", least},
       {"0.95", least},
       {"0.1", least},
       {"weight-for-S", "You measured the weight. Measure the smallest S with a weight above 0.9."},
       {"steps-for-S", "You measured the number of steps. S is a tenth of it."}});
}

}  // namespace mistakes
