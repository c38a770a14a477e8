// The pictures of lesson 19.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"

namespace headlight::lesson {

// The relative errors of three ways to add n floats, and the most that they can be.
struct SumErrors {
  static constexpr double kUnit = 0x1p-24;  // the largest relative error of rounding to a float

  std::size_t n;
  double in_turn, in_tree, kahan;

  double most_in_turn() const { return static_cast<double>(n - 1) * kUnit; }
  double most_in_tree() const { return std::ceil(std::log2(static_cast<double>(n))) * kUnit; }
};

// How far apart the weights of two trainings are after each step, and the losses of the last step.
struct Twins {
  std::string name;
  std::vector<double> distance;
  std::array<double, 2> loss;
};

// How often each sum came.
inline std::string svg_orders(const std::map<float, int>& in_turn, const std::map<float, int>& in_tree,
                              const std::map<float, int>& kahan) {
  draw::Chart chart{"A thousand numbers, added in a thousand orders",
                    {.label = "sum"},
                    {.label = "orders with this sum", .first = 0},
                    {}};
  for (const auto& [name, sums] :
       {std::pair{"one after the other", &in_turn}, {"in a tree", &in_tree}, {"Kahan", &kahan}}) {
    draw::Series dots{name, {}, {}, true};
    for (const auto& [sum, count] : *sums) dots.x.push_back(sum), dots.y.push_back(count);
    chart.series.push_back(dots);
  }
  return draw::svg_chart(chart);
}

inline std::string svg_errors(const std::vector<SumErrors>& errors) {
  draw::Chart chart{"Adding 0.1 again and again, in floats",
                    {.label = "numbers added", .logarithmic = true},
                    {.label = "relative error", .logarithmic = true},
                    {}};
  draw::Series in_turn{"one after the other", {}, {}}, in_tree{"in a tree", {}, {}}, kahan{"Kahan", {}, {}};
  draw::Series most_in_turn{"at most, one after the other", {}, {}},
      most_in_tree{"at most, in a tree", {}, {}};
  most_in_turn.weight = most_in_tree.weight = draw::LineWeight::faint;
  for (const SumErrors& e : errors)
    for (const auto& [series, y] : {std::pair{&in_turn, e.in_turn},
                                    {&in_tree, e.in_tree},
                                    {&kahan, e.kahan},
                                    {&most_in_turn, e.most_in_turn()},
                                    {&most_in_tree, e.most_in_tree()}})
      series->x.push_back(static_cast<double>(e.n)), series->y.push_back(y);
  chart.series = {in_turn, in_tree, kahan, most_in_turn, most_in_tree};
  return draw::svg_chart(chart);
}

inline std::string svg_twins(const std::vector<Twins>& all) {
  draw::Chart chart{"Two trainings that began alike",
                    {.label = "step", .first = 0},
                    {.label = "distance of the weights", .logarithmic = true},
                    {}};
  for (const Twins& twins : all) {
    draw::Series line{twins.name, {}, {}};
    for (std::size_t step = 0; step < twins.distance.size(); ++step)
      if (twins.distance[step] > 0)
        line.x.push_back(static_cast<double>(step + 1)), line.y.push_back(twins.distance[step]);
    if (!line.x.empty()) chart.series.push_back(line);
  }
  return draw::svg_chart(chart);
}

// The tree over so many shards: at each level neighbours are added, and a sum without a neighbour moves up.
inline std::string svg_tree(std::size_t shards) {
  std::vector<draw::GraphNode> nodes;
  std::vector<draw::GraphEdge> edges;
  struct Sum {
    std::string name;
    std::size_t node;
    double row;
  };
  std::vector<Sum> level;
  for (std::size_t s = 0; s < shards; ++s) {
    level.push_back({fmt::format("{}", s), s, static_cast<double>(s)});
    nodes.push_back({level.back().name, {}, level.back().row});
  }
  while (level.size() > 1) {
    std::vector<Sum> next;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      if (i + 1 == level.size()) {
        next.push_back(level[i]);
        continue;
      }
      const Sum &a = level[i], &b = level[i + 1];
      const std::string name = fmt::format("({}+{})", a.name, b.name);
      next.push_back({name, nodes.size(), (a.row + b.row) / 2});
      nodes.push_back({name, {}, next.back().row});
      for (const Sum* from : {&a, &b}) edges.push_back({from->node, next.back().node, ""});
    }
    level = next;
  }
  return draw::svg_boxes(fmt::format("The fixed tree over {} shards", shards), nodes, edges, 60);
}

inline std::string svg_speedup(const std::function<double(double serial, double threads)>& amdahl,
                               const std::function<double(double shards, double threads)>& in_rounds) {
  draw::Chart chart{"The largest speed-up",
                    {.label = "threads", .first = 0, .last = 32},
                    {.label = "speed-up", .first = 0, .last = 32},
                    {}};
  const auto add = [&](const std::string& name, const std::function<double(double)>& speed_up) {
    draw::Series line{name, {}, {}};
    for (int threads = 1; threads <= 32; ++threads)
      line.x.push_back(threads), line.y.push_back(speed_up(threads));
    chart.series.push_back(line);
  };
  for (const double serial : {0.0, 0.01, 0.05, 0.2})
    add(serial == 0 ? "all can be divided" : fmt::format("{:.0f} % cannot", 100 * serial),
        [&](double threads) { return amdahl(serial, threads); });
  add("8 equal shards", [&](double threads) { return in_rounds(8, threads); });
  return draw::svg_chart(chart);
}

}  // namespace headlight::lesson
