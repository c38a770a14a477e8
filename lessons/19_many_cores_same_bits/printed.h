// What the program of lesson 19 prints: sums, errors, distances, and letters for bits.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "headlight/train/exchange.h"
#include "lesson_program.h"
#include "pictures.h"

namespace headlight::lesson {

// How often each sum came.
inline void show_sums(const std::string& name, const std::map<float, int>& sums) {
  say("  {:<26}  {:>14}   {:.7f}   {:.7f}", name, sums.size(), sums.begin()->first, sums.rbegin()->first);
}

inline double relative_error(float sum, double exact) {
  return std::abs(static_cast<double>(sum) - exact) / std::abs(exact);
}

inline void show_errors(const SumErrors& e) {
  say("  {:>8}   {:.1e}   {:.1e}       {:.1e}   {:.1e}       {:.1e}", e.n, e.in_turn, e.most_in_turn(),
      e.in_tree, e.most_in_tree(), e.kahan);
}

inline void show_twins(const std::vector<Twins>& all) {
  say("\nTwo trainings. How far apart their weights are, relative to the weights, after step");
  std::string head = fmt::format("  {:<28}", "");
  const std::size_t shown[] = {1, 20, 40, 60, 80, 100};
  for (const std::size_t step : shown) head += fmt::format("{:>7}", step);
  say("{}   losses in step 100", head);
  for (const Twins& twins : all) {
    std::string line = fmt::format("  {:<28}", twins.name);
    for (const std::size_t step : shown) {
      const double distance = twins.distance[step - 1];
      line += distance == 0 ? fmt::format("{:>7}", 0) : fmt::format("{:>7.0e}", distance);
    }
    say("{}   {:.4f} {:.4f}", line, twins.loss[0], twins.loss[1]);
  }
}

inline void show_additions(std::size_t shards) {
  std::vector<train::ShardSum> leaves;
  for (std::size_t s = 0; s < shards; ++s) leaves.push_back({s, s + 1, {}, 0, 0});
  std::string line;
  for (const auto& [to, from] : train::plan_additions(leaves, shards))
    line += fmt::format("   {} += {}", to, from);
  say("  {} shards:{}", shards, line);
}

// A letter for each set of weights: the same for the same bits.
class SameBits {
 public:
  char letter_of(const std::vector<double>& weights) {
    std::size_t i = 0;
    while (i < seen_.size() && !equal(seen_[i], weights)) ++i;
    if (i == seen_.size()) seen_.push_back(weights);
    return static_cast<char>('A' + i);
  }

 private:
  static bool equal(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }
  std::vector<std::vector<double>> seen_;
};

inline void show_bits(int threads, std::size_t shards, char letter) {
  say("  {:<7}   {:<6}   {}", threads, shards, letter);
}

inline void show_interleaving(const std::string& order, int total) {
  std::string text;
  bool loads[] = {true, true};
  for (const char who : order) {
    bool& now = loads[who - 'a'];
    text += fmt::format("{} {:<8}", who, now ? "loads" : "stores");
    now = !now;
  }
  say("  {}{}", text, total);
}

inline void show_totals(int additions, const std::map<int, int>& totals) {
  std::string text;
  for (const auto& [total, count] : totals) text += fmt::format("   {}: {}", total, count);
  say("  {} each{}", additions, text);
}

inline void show_speed(const std::string& name, const std::function<double(double threads)>& speed_up) {
  std::string line;
  for (const double threads : {1, 2, 3, 4, 8, 16, 64}) line += fmt::format("  {:>5.2f}", speed_up(threads));
  say("  {:<24}{}", name, line);
}

}  // namespace headlight::lesson
